import DocentTestSupport
import Foundation
import Glibc

/// A running `notes` of Examples/Notes, controlled through pipes.
final class NotesProcess {
    private let process: ChildProcess
    private let input: Int32
    private let output: Int32
    private let errors: String
    private var buffer: [UInt8] = []
    private var sent: [String] = []

    /// Starts it on a document.
    init(_ program: String, _ location: String, in installation: Installation) throws {
        var (commands, answers) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
        guard pipe(&commands) == 0, pipe(&answers) == 0 else { throw Problem("no pipes") }
        errors = installation.root + "/notes-\(UUID().uuidString.prefix(8)).err"
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        defer {
            close(commands[0])
            close(answers[1])
        }
        (input, output) = (commands[1], answers[0])
        process = try ChildProcess(
            program, [location], environment: installation.environment, input: .descriptor(commands[0]),
            output: .descriptor(answers[1]), errors: .file(errors))
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit {
        process.send(SIGKILL)
        close(input)
        close(output)
    }

    /// Sends a command and waits for its answer, the last line.
    @discardableResult
    func ask(_ command: String) async throws -> String {
        try tell(command)
        return try await answer()
    }

    /// Sends a command; its answer is read later.
    func tell(_ command: String) throws {
        sent.append(command)
        let bytes = Array((command + "\n").utf8)
        guard write(input, bytes, bytes.count) == bytes.count else {
            throw Problem("notes accepts no more input: \(failure)")
        }
    }

    /// The next answer.
    func answer() async throws -> String {
        while true {
            guard let line = try await line() else { throw Problem("notes has ended: \(failure)") }
            if !Self.isPartOfText(line) { return line }
        }
    }

    /// The lines of the note as they are shown.
    func show() async throws -> [String] {
        try tell("show")
        var lines: [String] = []
        while let line = try await line() {
            guard Self.isPartOfText(line) else { return lines }
            lines.append(String(line.drop { $0 != " " }.dropFirst()))
        }
        throw Problem("notes has ended: \(failure)")
    }

    /// kill -9, and then all answers that were still sent.
    func kill() async throws -> [String] {
        process.send(SIGKILL)
        var answers: [String] = []
        while let line = try await line() { if !Self.isPartOfText(line) { answers.append(line) } }
        process.waitUntilExit()
        return answers
    }

    /// Ends it normally.
    ///
    /// - Returns: the exit status.
    func quit() async throws -> Int32 {
        let answer = try await ask("quit")
        guard answer == "bye" else { throw Problem("no good-bye: \(answer) \(failure)") }
        while try await line() != nil {}
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// `3: a line`, unlike `3 lines`.
    private static func isPartOfText(_ line: String) -> Bool {
        line.drop { $0.isNumber }.hasPrefix(":") && line.first?.isNumber == true
    }

    /// What is known when it does not answer.
    private var situation: String {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let state = status.split(separator: "\n").first { $0.hasPrefix("State:") } ?? "no process"
        let pipe = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(output)")) ?? "closed"
        return "\(state); last sent: \(sent.suffix(5)); unread: \(buffer.count) bytes; \(pipe); \(failure)"
    }

    private var failure: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

    /// The next line; nil after the last.
    private func line() async throws -> String? {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &bytes, bytes.count)
            if count == 0 { return nil }
            if count > 0 {
                buffer += bytes[..<count]
            } else {
                guard errno == EAGAIN || errno == EINTR else { throw Problem("notes cannot be read") }
                guard .now < deadline else { throw Problem("notes does not answer: \(situation)") }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
