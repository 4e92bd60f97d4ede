import CLinux
import FoundationEssentials
import Glibc
import Varlink

/// An author's program that acts on a service for the validator: `COMMAND VERB [ARGUMENT...]`.
///
/// It is limited in time and output: it is killed when its time is over, and only a few KiB of its output are read.
package struct ServiceProgram: Sendable {
    /// The actions.
    package enum Verb: String, Sendable {
        /// Writes `HOST:PORT`, where the service listens, to standard output.
        case address
        /// Makes the service unreachable.
        case pause
        /// Makes it reachable again.
        case resume
        /// Cuts the existing connections.
        case cut
        /// Changes a document.
        case change
    }

    /// The exit status for an unsupported verb.
    package static let lackingStatus: CInt = 3
    /// The variable that marks the processes that it starts and may leave running.
    package static let mark = "DOCENT_SERVICE_PROGRAM"
    private static let longestOutput = 4_096

    /// The shell command; verb and arguments are appended.
    package let command: String
    /// Its environment, without what the case adds.
    package let environment: [String: String]
    /// Its time limit.
    package var limit = Duration.seconds(30)

    /// Creates a program.
    package init(command: String, environment: [String: String]) {
        self.command = command
        self.environment = environment
    }

    /// Runs it.
    ///
    /// - Parameters:
    ///   - variables: additions to its environment.
    ///   - input: its standard input.
    /// - Returns: its standard output, for ``Verb/address``; otherwise an empty string.
    /// - Throws: ``ServiceProblem``.
    @discardableResult
    package func run(
        _ verb: Verb, _ arguments: [String] = [], variables: [String: String] = [:], input: [UInt8] = []
    ) async throws -> String {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw ServiceProblem.failed("No pipe can be made.") }
        let output = OwnedDescriptor(ends[0])
        let inner = OwnedDescriptor(ends[1])
        let child: ChildProgram
        do {
            let content = try ContentFile(input).shareForReading()
            child = try ChildProgram(
                "/bin/sh", arguments: ["-c", script(verb), "sh", verb.rawValue] + arguments,
                environment: environment.merging(variables) { _, new in new }.merging([Self.mark: "1"]) { _, new in new
                },
                passing: [content.raw, inner.raw])
        } catch {
            throw ServiceProblem.failed(PlainText.words(of: error))
        }
        guard let end = await child.waitForEnd(atMost: limit) else {
            child.kill()
            _ = await child.waitForEnd(atMost: .seconds(5))
            throw ServiceProblem.failed(
                "\(did(verb)) did not end within \(CallProblem.seconds(limit / .seconds(1))), and was killed"
                    + said(child))
        }
        if end.code == Self.lackingStatus {
            throw ServiceProblem.lacking("\(did(verb)) cannot do that" + said(child))
        }
        guard end.code == 0 else { throw ServiceProblem.failed("\(did(verb)) \(end.text)" + said(child)) }
        return verb == .address ? Self.read(output.raw) : ""
    }

    // Standard output is only read for an address. For other verbs it goes to standard error, which is drained to the
    // end.
    private func script(_ verb: Verb) -> String {
        "exec <&3 \(verb == .address ? ">&4" : ">&2") 3<&- 4>&-\n\(command) \"$@\""
    }

    private func did(_ verb: Verb) -> String { "The service program, asked to \(verb.rawValue)," }

    private func said(_ child: ChildProgram) -> String {
        let text = PlainText.escaped(String(child.errorText.suffix(600)))
        return text.isEmpty ? "" : ": " + text
    }

    // The program has ended: its output is in the pipe, which holds at most 64 KiB. A process that it left running may
    // keep the other end open.
    private static func read(_ descriptor: CInt) -> String {
        clinux_set_status_flags(descriptor, O_NONBLOCK)
        var buffer = [UInt8](repeating: 0, count: longestOutput)
        let count = clinux_read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
}
