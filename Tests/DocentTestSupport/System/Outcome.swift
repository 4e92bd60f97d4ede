package import Foundation
import Glibc

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

    package static func run(
        _ program: String, _ arguments: [String], input: Data?, environment: [String: String], folder: String
    ) async throws -> Outcome {
        // The current test is not known on the thread below.
        Admission.expect(isBuild([program] + arguments) ? .processor : .programs)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runBlocking(program, arguments, input, environment, folder) })
            }
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

    private static func runBlocking(
        _ program: String, _ arguments: [String], _ input: Data?, _ environment: [String: String], _ folder: String
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
        process.waitUntilExit()
        let wasSignalled = process.terminationReason == .uncaughtSignal
        return Outcome(
            status: wasSignalled ? -1 : process.terminationStatus,
            signal: wasSignalled ? process.terminationStatus : nil,
            output: (try? Data(contentsOf: URL(fileURLWithPath: base + ".out"))) ?? Data(),
            errors: (try? String(contentsOfFile: base + ".err", encoding: .utf8)) ?? "")
    }
}
