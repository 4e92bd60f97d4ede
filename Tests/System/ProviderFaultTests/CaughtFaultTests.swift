import DocentTestSupport
import Faulty
import FileProviderValidation
import Testing

/// For every possible fault of a provider there is a case that catches it.
@Suite(.needs(.programs)) struct CaughtFaultTests {
    private func result(of caught: CaughtFault) async throws -> (result: CaseResult, fault: Fault) {
        let fault = try #require(Fault.named(caught.name))
        let testCase = try #require(ValidationCase.all.first { $0.name == caught.caseName })
        var run = FaultyRun(subject: fault.subject, script: caught.script)
        run.hasService = testCase.needsService
        // Long enough for the service to fail in the middle.
        if testCase.needsService { run.settings["latency"] = "0.3" }
        run.isApart = fault.needsProcess || !testCase.abilities.isSubset(of: WireTransport.inProcess.abilities)
        // A delay of one second counts as late here; a call that is reported late because of load also has its fault.
        run.callDeadline = 1
        return (await run.run(testCase), fault)
    }

    private func expectCaught(_ caught: CaughtFault) async throws {
        let (result, _) = try await result(of: caught)
        #expect(result.isFailure, "\(caught.testDescription): \(result.outcome) \(result.reason ?? "")")
        for finding in result.findings {
            #expect(
                ![finding.did, finding.expected, finding.got, finding.requirement].contains(""),
                "\(caught.testDescription): \(finding)")
            #expect(RawText.hits(in: finding).isEmpty, "not a sentence for users: \(finding)")
        }
    }

    @Test("every fault of the table is tested")
    func complete() {
        let all = CaughtFault.troubles + CaughtFault.others + CaughtFault.served + CaughtFault.hurried
        let tested = Set(all.map(\.name) + CaughtFault.sandboxed)
        #expect(tested == Set(Fault.all.map(\.name)))
    }

    @Test(
        "each fault in a provider's answers and actions is caught by a case",
        arguments: Sample.shared.of(CaughtFault.others))
    func caught(_ caught: CaughtFault) async throws { try await expectCaught(caught) }

    @Test(
        "each fault that occurs only when the service fails or others change it is caught by a case",
        arguments: Sample.shared.of(CaughtFault.served))
    func served(_ caught: CaughtFault) async throws { try await expectCaught(caught) }

    @Test(
        "a call that is late, hangs, fails or crashes the process is caught by a case",
        arguments: Sample.shared.of(Fault.methods))
    func troubled(_ method: String) async throws {
        // Concurrently: they mostly wait.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caught in CaughtFault.troubles where caught.script.hasPrefix(method + ".") {
                group.addTask { try await expectCaught(caught) }
            }
            try await group.waitForAll()
        }
    }
}
