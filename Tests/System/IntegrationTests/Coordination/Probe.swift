import DocentTestSupport
import Foundation
import Glibc
import Synchronization

/// A `claim-probe` (Tests/Programs/ClaimProbe): a client in its own process, controlled by a test.
final class Probe: Sendable {
    private struct State {
        var next = 1
        var lines: [(id: String, words: [String])] = []
        var buffer = ""
    }

    let process: ChildProcess
    let client: String
    private let input: CInt
    private let state = Mutex(State())

    /// Starts one and waits until it is ready.
    init(_ installation: Installation, client: String = "org.docent.ClaimProbe") async throws {
        self.client = client
        var commands: [CInt] = [0, 0]
        var answers: [CInt] = [0, 0]
        guard pipe(&commands) == 0, pipe(&answers) == 0 else { throw Problem("no pipe") }
        input = commands[1]
        let errors = installation.root + "/probe-\(UUID().uuidString.prefix(8)).errors"
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        process = try ChildProcess(
            Installation.binaries + "/claim-probe",
            environment: installation.environment.merging(["CLAIM_PROBE_CLIENT": client]) { _, new in new },
            input: .descriptor(commands[0]), output: .descriptor(answers[1]), errors: .file(errors))
        close(commands[0])
        close(answers[1])
        let output = answers[0]
        Thread.detachNewThread { [weak self] in
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(output, &bytes, bytes.count)
                guard count > 0 || (count < 0 && errno == EINTR) else { break }
                if count > 0 { self?.take(bytes.prefix(count)) }
            }
            close(output)
        }
        _ = try await wait("0", for: "ready")
    }

    deinit {
        close(input)
        process.send(SIGKILL)
    }

    private func take(_ bytes: some Sequence<UInt8>) {
        state.withLock { state in
            state.buffer += String(decoding: Array(bytes), as: UTF8.self)
            while let end = state.buffer.firstIndex(of: "\n") {
                let words = state.buffer[..<end].split(separator: "\t", omittingEmptySubsequences: false).map(
                    String.init)
                state.buffer = String(state.buffer[state.buffer.index(after: end)...])
                if let id = words.first { state.lines.append((id, Array(words.dropFirst()))) }
            }
        }
    }

    /// Sends a command and returns its identifier.
    @discardableResult
    func send(_ verb: String, _ arguments: String...) throws -> String {
        let id = state.withLock { state in
            defer { state.next += 1 }
            return "\(state.next)"
        }
        var line = Array(([id, verb] + arguments).joined(separator: "\t").utf8) + [UInt8(ascii: "\n")]
        guard write(input, &line, line.count) == line.count else { throw Problem("the probe has ended") }
        return id
    }

    /// The reports on a command, in order: each line's words.
    func told(_ id: String) -> [[String]] { state.withLock { $0.lines.filter { $0.id == id }.map(\.words) } }

    /// The first words of the reports on a command, in order.
    func kinds(_ id: String) -> [String] { told(id).compactMap(\.first) }

    /// All reports, in order, as `ID word`.
    var all: [String] { state.withLock { $0.lines.map { "\($0.id) \($0.words.first ?? "")" } } }

    /// Waits for a report on a command that begins with this word, and returns its words.
    ///
    /// - Throws: ``Problem`` if an error is reported instead, or nothing within a generous time.
    @discardableResult
    func wait(_ id: String, for word: String, within seconds: Double = 60) async throws -> [String] {
        let deadline = Date().addingTimeInterval(seconds)
        while true {
            let told = told(id)
            if let line = told.first(where: { $0.first == word }) { return line }
            if word != "error", let error = told.first(where: { $0.first == "error" }) {
                throw Problem("\(word) expected, but: \(error.joined(separator: " "))")
            }
            guard Date() < deadline else { throw Problem("never reported: \(id) \(word); all: \(all)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Whether a command is not reported with this word for a while.
    func staysWithout(_ id: String, _ word: String, for seconds: Double = 0.4) async throws -> Bool {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if kinds(id).contains(word) { return false }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }

    /// Sends a command and waits for its end.
    @discardableResult
    func run(_ verb: String, _ first: String = "", _ second: String = "", until word: String) async throws -> [String] {
        try await wait(try send(verb, first, second), for: word)
    }
}
