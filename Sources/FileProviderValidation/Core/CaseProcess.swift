import CLinux
import Dispatch
import DocentInterfaces
import FoundationEssentials
import Glibc
import Synchronization
import Varlink

/// Starts a process for one case and reads its result. The process reports ``CaseEvent`` on its descriptor 3.
///
/// Everything that it does is a result: ending without one, being ended by a signal, silence, garbage, or output
/// without end.
package struct CaseProcess: Sendable {
    /// The absolute path of the program.
    package var program: String
    /// Its arguments for a case, without the program name.
    package var arguments: @Sendable (ValidationCase) -> [String]
    /// Its whole environment.
    package var environment: [String: String]
    /// Seconds that the process gets beyond the limit of the case (which it enforces itself), and to end after its last
    /// event, before it is killed.
    package var grace = 10.0
    /// Cleans up after the process of a case has ended in any way. May block.
    package var tidy: (@Sendable () -> Void)?

    /// Creates a way to start processes.
    package init(
        program: String, environment: [String: String], arguments: @escaping @Sendable (ValidationCase) -> [String]
    ) {
        self.program = program
        self.environment = environment
        self.arguments = arguments
    }

    /// Runs a case in its own process.
    package func run(_ testCase: ValidationCase, _ options: ValidationOptions) async -> CaseResult {
        let clock = ContinuousClock()
        let begin = clock.now
        var result = await attempt(testCase, options)
        if let tidy { try? await Blocking.run(tidy) }
        result.seconds = (clock.now - begin) / .seconds(1)
        return result
    }

    private func attempt(_ testCase: ValidationCase, _ options: ValidationOptions) async -> CaseResult {
        let child: ChildProgram
        let events: EventReader
        do {
            var ends: [CInt] = [-1, -1]
            guard clinux_pipe(&ends) == 0 else { throw Failure(.failed, "No pipe can be made.") }
            let inner = OwnedDescriptor(ends[1])
            events = EventReader(ends[0])
            child = try ChildProgram(
                program, arguments: arguments(testCase), environment: environment, passing: [inner.raw])
        } catch {
            var result = CaseResult(testCase, .crashed)
            result.reason = "the process of the case cannot be started: " + PlainText.words(of: error)
            return result
        }
        let limit = options.caseLimit * Double(testCase.patience) + grace
        let late = Late()
        let guardian = Task {
            try await Task.sleep(for: .seconds(limit))
            late.isLate.withLock { $0 = true }
            child.kill()
        }
        // A flood or garbage ends it early.
        let outcome = await events.read { child.kill() }
        let end = await child.waitForEnd(atMost: .seconds(grace))
        guardian.cancel()
        if end == nil { child.kill() }
        return judge(
            testCase, outcome, end, lateAfter: late.isLate.withLock { $0 } ? limit : nil, output: child.errorText)
    }

    private func judge(
        _ testCase: ValidationCase, _ outcome: EventReader.Outcome, _ end: ChildProgram.End?, lateAfter limit: Double?,
        output: String
    ) -> CaseResult {
        let said = output.isEmpty ? nil : PlainText.escaped(output, limit: 4_000, keepsLines: true)
        if var result = outcome.result, result.name == testCase.name, outcome.problem == nil {
            if result.isFailure { result.output = said }
            return result
        }
        var result = CaseResult(testCase, .crashed)
        result.findings = outcome.findings
        result.lastStep = outcome.lastStep
        result.output = said
        if let problem = outcome.problem {
            result.reason = "the process of the case " + problem
        } else if let limit {
            result.outcome = .timedOut
            result.reason = "the process of the case did not end within \(CallProblem.seconds(limit)), and was killed"
        } else {
            result.reason = "the process of the case " + (end?.text ?? "closed its channel") + " without a result"
        }
        return result
    }
}

private final class Late: Sendable {
    let isLate = Mutex(false)
}

/// Reads events from a pipe, holding at most one line in memory.
private final class EventReader: Sendable {
    struct Outcome: Sendable {
        var result: CaseResult?
        var findings: [Finding] = []
        var lastStep: String?
        var problem: String?
    }

    private static let maximumBytes = 64 << 20
    private let descriptor: CInt

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Reads to the end of the pipe. `giveUp` is called when the input is not worth reading on.
    func read(_ giveUp: @escaping @Sendable () -> Void) async -> Outcome {
        let descriptor = descriptor
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "org.docent.validation.events").async {
                let owned = OwnedDescriptor(descriptor)
                let outcome = Self.read(owned.raw)
                if outcome.problem != nil { giveUp() }
                continuation.resume(returning: outcome)
            }
        }
    }

    private static func read(_ descriptor: CInt) -> Outcome {
        var outcome = Outcome()
        var line: [UInt8] = []
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = clinux_read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            total += count
            guard total <= maximumBytes else {
                outcome.problem = "wrote more than \(maximumBytes) bytes of events"
                return outcome
            }
            for byte in buffer[..<count] {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    continue
                }
                guard take(line, &outcome) else { return outcome }
                line.removeAll(keepingCapacity: true)
            }
            guard line.count <= CaseEvent.maximumLine else {
                outcome.problem = "wrote a line of more than \(CaseEvent.maximumLine) bytes"
                return outcome
            }
        }
        if !line.isEmpty, outcome.result == nil {
            outcome.problem =
                "ended in the middle of a line: " + PlainText.quoted(String(decoding: line.prefix(200), as: UTF8.self))
        }
        return outcome
    }

    private static func take(_ line: [UInt8], _ outcome: inout Outcome) -> Bool {
        do {
            switch try JSONDecoder().decode(CaseEvent.self, from: Data(line)) {
            case .step(let text): outcome.lastStep = text
            case .finding(let finding): if outcome.findings.count < 100 { outcome.findings.append(finding.bounded) }
            case .result(let result): outcome.result = result
            }
            return true
        } catch {
            outcome.problem =
                "wrote something that is not an event: "
                + PlainText.quoted(String(decoding: line.prefix(200), as: UTF8.self))
            return false
        }
    }
}
