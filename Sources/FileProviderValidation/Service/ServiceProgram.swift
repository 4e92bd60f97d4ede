import CLinux
import FoundationEssentials
import Glibc
import Varlink

/// The program of an author that does with a service what the validator asks for: `COMMAND VERB [ARGUMENT...]`.
///
/// Whatever it does has an end and a size: it is killed when its time is over, and no more than a few KiB of its output
/// are read.
package struct ServiceProgram: Sendable {
    /// What it is asked for.
    package enum Verb: String, Sendable {
        /// Writes `HOST:PORT`, where the service listens, to standard output.
        case address
        /// Makes the service unreachable.
        case pause
        /// Makes it reachable again.
        case resume
        /// Ends the connections that there are.
        case cut
        /// Changes a document.
        case change
    }

    /// The status with which it says that it does not know a verb.
    package static let lackingStatus: CInt = 3
    /// The variable that marks what the program starts, and that it may leave running.
    package static let mark = "DOCENT_SERVICE_PROGRAM"
    private static let longestOutput = 4_096

    /// What a shell makes the program of; verb and arguments are appended.
    package let command: String
    /// All of its environment but what depends on the case.
    package let environment: [String: String]
    /// For how long it may run.
    package var limit = Duration.seconds(30)

    /// A program.
    package init(command: String, environment: [String: String]) {
        self.command = command
        self.environment = environment
    }

    /// Runs it.
    ///
    /// - Parameters:
    ///   - variables: what is added to its environment.
    ///   - input: what it can read from standard input.
    /// - Returns: what it wrote to standard output, for ``Verb/address``; otherwise nothing.
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

    // Only an address is read from standard output. Elsewhere it joins standard error, which is drained without end.
    private func script(_ verb: Verb) -> String {
        "exec <&3 \(verb == .address ? ">&4" : ">&2") 3<&- 4>&-\n\(command) \"$@\""
    }

    private func did(_ verb: Verb) -> String { "The service program, asked to \(verb.rawValue)," }

    private func said(_ child: ChildProgram) -> String {
        let text = PlainText.escaped(String(child.errorText.suffix(600)))
        return text.isEmpty ? "" : ": " + text
    }

    // It has ended: what it wrote is in the pipe, which holds no more than 64 KiB. What it left running may have the
    // other end.
    private static func read(_ descriptor: CInt) -> String {
        clinux_set_status_flags(descriptor, O_NONBLOCK)
        var buffer = [UInt8](repeating: 0, count: longestOutput)
        let count = clinux_read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
}
