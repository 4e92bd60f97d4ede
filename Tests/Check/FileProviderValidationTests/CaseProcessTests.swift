import FileProviderValidation
import Foundation
import Testing

/// The outcome of a case's process, whatever it does.
struct CaseProcessTests {
    private static let testCase = ValidationCase(
        "sample.case", level: 1, requirements: [.interface], "A sample of a case that does nothing."
    ) { _ in }

    private func run(_ script: String, limit: Double = 60, grace: Double = 30) async -> CaseResult {
        var process = CaseProcess(program: "/bin/sh", environment: ["PATH": "/usr/bin:/bin"]) { _ in ["-c", script] }
        process.grace = grace
        var options = ValidationOptions()
        options.caseLimit = limit
        return await process.run(Self.testCase, options)
    }

    private func line(_ event: CaseEvent) throws -> String {
        String(decoding: try JSONEncoder().encode(event), as: UTF8.self).replacing("'", with: "'\\''")
    }

    @Test("the result that the process reports is the result")
    func result() async throws {
        var expected = CaseResult(Self.testCase, .failed)
        expected.findings = [Finding(did: "a 'b'", expected: "c", got: "d\u{1B}[31m", requirement: .interface)]
        let result = await run("printf '%s\\n' '\(try line(.step("one")))' '\(try line(.result(expected)))' >&3")
        #expect(result.outcome == .failed)
        #expect(result.findings == expected.findings)
    }

    @Test("an exit without a result is a crash, with the last step and the findings before it")
    func endsEarly() async throws {
        let finding = Finding(did: "a", expected: "b", got: "c", requirement: .interface)
        let lines = "'\(try line(.step("Fetch of \"x\"")))' '\(try line(.finding(finding)))'"
        let result = await run("printf '%s\\n' \(lines) >&3; echo out of luck >&2; exit 7")
        #expect(result.outcome == .crashed)
        #expect(result.lastStep == "Fetch of \"x\"")
        #expect(result.findings == [finding])
        #expect(result.reason?.contains("ended with the code 7") == true)
        #expect(result.output?.contains("out of luck") == true)
    }

    @Test("a signal is a crash, and is named")
    func signal() async {
        let result = await run("kill -SEGV $$")
        #expect(result.outcome == .crashed)
        #expect(result.reason?.contains("signal 11") == true)
    }

    @Test("a process that does not end is killed with its children, and timed out")
    func hangs() async {
        let result = await run("sleep 1000 & sleep 1000", limit: 0.2, grace: 0.3)
        #expect(result.outcome == .timedOut)
        #expect(result.reason?.contains("was killed") == true)
    }

    @Test("garbage instead of a result is a crash that shows the garbage")
    func garbage() async {
        let result = await run("echo 'no event' >&3; sleep 1000")
        #expect(result.outcome == .crashed)
        #expect(result.reason?.contains("\"no event\"") == true)
    }

    @Test("an endless line is given up, not collected")
    func flood() async {
        let result = await run("tr '\\0' x < /dev/zero >&3")
        #expect(result.outcome == .crashed)
        #expect(result.reason?.contains("a line of more than") == true)
    }

    @Test("an endless series of valid events is given up, not collected")
    func floodOfEvents() async throws {
        let result = await run("yes '\(try line(.step(String(repeating: "s", count: 1_000))))' >&3")
        #expect(result.outcome == .crashed)
        #expect(result.reason?.contains("bytes of events") == true)
    }

    @Test("a flood on standard error does no harm, and its end is kept")
    func floodOfErrors() async throws {
        let expected = CaseResult(Self.testCase, .passed)
        let result = await run(
            "yes flood | head -c 20000000 >&2; printf '%s\\n' '\(try line(.result(expected)))' >&3")
        #expect(result.outcome == .passed)
    }

    @Test("the result of another case does not count")
    func foreignResult() async throws {
        let other = ValidationCase("other.case", level: 1, requirements: [.interface], "Another one.") { _ in }
        let result = await run("printf '%s\\n' '\(try line(.result(CaseResult(other, .passed))))' >&3")
        #expect(result.outcome == .crashed)
    }

    @Test("a process that hangs after its result is killed, and the result counts")
    func hangsAfterwards() async throws {
        let expected = CaseResult(Self.testCase, .passed)
        let result = await run(
            "printf '%s\\n' '\(try line(.result(expected)))' >&3; exec 3>&-; sleep 1000", grace: 0.3)
        #expect(result.outcome == .passed)
    }

    @Test("a missing program is a crash with the reason")
    func missing() async {
        let process = CaseProcess(program: "/nonexistent/validator", environment: [:]) { _ in [] }
        let result = await process.run(Self.testCase, ValidationOptions())
        #expect(result.outcome == .crashed)
        #expect(result.reason?.contains("/nonexistent/validator") == true)
    }
}
