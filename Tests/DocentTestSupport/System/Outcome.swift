package import Foundation
import Glibc
import Synchronization

/// The result of a program: status, output and errors.
package struct Outcome: Sendable {
    package var status: Int32
    package var signal: Int32?
    package var output: Data
    package var errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }

    /// Returns itself; throws if the program failed.
    @discardableResult
    package func succeeded() throws -> Outcome {
        guard status == 0, signal == nil else {
            throw Problem("status \(status), signal \(signal ?? 0): \(errors) \(text)")
        }
        return self
    }

    /// Decodes the output as JSON.
    package func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: output)
    }

    /// Runs a program until it has ended. When the task is cancelled meanwhile, the program is killed, and what it had
    /// written is returned. A program that a cancelled task starts, to clean up, runs to its end.
    package static func run(
        _ program: String, _ arguments: [String], input: Data?, environment: [String: String], folder: String
    ) async throws -> Outcome {
        // The current test is not known on the thread below.
        Admission.expect(isBuild([program] + arguments) ? .processor : .programs)
        let end = End(isIgnored: Task.isCancelled)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result { try runBlocking(program, arguments, input, environment, folder, end) })
                }
            }
        } onCancel: {
            end.come()
        }
    }

    /// Ends a program when its task is cancelled, which can be before it has started.
    private final class End: Sendable {
        private enum State {
            case awaited(ChildProcess?)
            case come
        }

        private let isIgnored: Bool
        private let state = Mutex(State.awaited(nil))

        init(isIgnored: Bool) {
            self.isIgnored = isIgnored
        }

        func come() {
            guard !isIgnored else { return }
            let process = state.withLock { state -> ChildProcess? in
                defer { state = .come }
                guard case .awaited(let process) = state else { return nil }
                return process
            }
            process?.send(SIGKILL)
        }

        func watch(_ process: ChildProcess) {
            let isLate = state.withLock { state in
                guard case .awaited = state else { return true }
                state = .awaited(process)
                return false
            }
            if isLate { process.send(SIGKILL) }
        }
    }

    /// Whether this is `swift build`, `swift test` or `cargo test`, possibly through `env`. `cargo build` of a template
    /// takes a few seconds.
    static func isBuild(_ words: [String]) -> Bool {
        zip(words, words.dropFirst()).contains { tool, verb in
            switch tool.split(separator: "/").last {
            case "swift": ["build", "test"].contains(verb)
            case "cargo": verb == "test"
            default: false
            }
        }
    }

    /// Runs a program until it has ended, in this process's environment and folder. Blocks the thread.
    package static func runBlocking(
        _ program: String, _ arguments: [String], input: Data? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Outcome {
        try runBlocking(
            program, arguments, input, environment, FileManager.default.currentDirectoryPath, End(isIgnored: true))
    }

    private static func runBlocking(
        _ program: String, _ arguments: [String], _ input: Data?, _ environment: [String: String], _ folder: String,
        _ end: End
    ) throws -> Outcome {
        // Files instead of pipes: a daemon that the program starts may keep the descriptors open, and must not be
        // waited for.
        let base = NSTemporaryDirectory() + "docent-run-\(UUID().uuidString)"
        for suffix in ["in", "out", "err"] {
            _ = FileManager.default.createFile(atPath: "\(base).\(suffix)", contents: suffix == "in" ? input : nil)
        }
        defer { for suffix in ["in", "out", "err"] { unlink("\(base).\(suffix)") } }
        let process = try ChildProcess(
            program, arguments, environment: environment, folder: folder,
            input: input == nil ? .null : .file(base + ".in"), output: .file(base + ".out"),
            errors: .file(base + ".err"))
        end.watch(process)
        process.waitUntilExit()
        let wasSignalled = process.terminationReason == .uncaughtSignal
        return Outcome(
            status: wasSignalled ? -1 : process.terminationStatus,
            signal: wasSignalled ? process.terminationStatus : nil,
            output: (try? Data(contentsOf: URL(fileURLWithPath: base + ".out"))) ?? Data(),
            errors: (try? String(contentsOfFile: base + ".err", encoding: .utf8)) ?? "")
    }
}
