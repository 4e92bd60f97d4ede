import DocentTestSupport
import Faulty
import FileProviderValidation
import Testing

/// The cases about kills and restarts find their faults, and their reports are readable.
@Suite(.needs(.programs)) struct RestartCaseTests {
    private func result(_ name: String, with script: String) async throws -> CaseResult {
        let testCase = try #require(ValidationCase.all.first { $0.name == name })
        var run = FaultyRun(subject: .full, script: script)
        run.isApart = true
        run.callDeadline = 5
        return await run.run(testCase)
    }

    @Test(
        "state that does not outlive the process is found",
        arguments: Sample.shared.of([
            ("restart.versions", "modify.volatile"), ("restart.versions", "modify.ignoresBase"),
            ("restart.versionsAfterKill", "modify.volatile"), ("restart.content", "create.volatile"),
            ("restart.folders", "item.identifierAfterRestart"), ("restart.anchor", "changes.notAfterRestart"),
            ("restart.anchorAfterKill", "changes.notAfterRestart"), ("kill.initializing", "init.crash"),
        ]))
    func restarts(name: String, script: String) async throws {
        let result = try await result(name, with: script)
        #expect(result.outcome == .failed, "\(name) with \(script): \(result.outcome) \(result.reason ?? "")")
        #expect(result.findings.allSatisfy { RawText.hits(in: $0).isEmpty }, "\(result.findings)")
    }

    @Test(
        "a confirmed change that is lost by a kill during calls is found, whatever the call",
        arguments: Sample.shared.of([
            "create.volatile", "modify.volatile", "delete.volatile", "modify.appends", "move.copies",
        ]))
    func kills(script: String) async throws {
        let result = try await result("kill.anyCall", with: script)
        #expect(result.outcome == .failed, "\(script): \(result.outcome) \(result.reason ?? "")")
        #expect(
            result.findings.contains { $0.requirement.contains(ProviderRequirement.durability.rawValue) },
            "\(result.findings)")
        #expect(result.findings.allSatisfy { RawText.hits(in: $0).isEmpty }, "\(result.findings)")
    }

    @Test("a package that lacks an element after a kill during its creation is found")
    func packages() async throws {
        let result = try await result("kill.packages", with: "package.losesElement")
        #expect(result.outcome == .failed, "\(result.outcome) \(result.reason ?? "")")
    }

    @Test("a crash is reported with the signal and the call during which it happened")
    func crash() async throws {
        let result = try await result("errors.steady", with: "item.crash@7")
        let finding = try #require(result.findings.first)
        #expect(finding.did == "Item of \".root\"" && finding.expected.hasSuffix("in call 7"), "\(finding)")
        #expect(finding.got.contains("was killed by SIGSEGV (signal 11"), "\(finding)")
        #expect(result.findings.count == 1, "there was no process left to ask: \(result.findings)")
    }

    @Test("an exit is reported with its code")
    func exit() async throws {
        let result = try await result("errors.steady", with: "item.exit@3")
        #expect(result.findings.first?.got.contains("ended with the code") == true, "\(result.findings)")
    }

    @Test(
        "results are described in words, not as debugger output",
        arguments: Sample.shared.of([
            ("errors.unknownItem", "item.unknownSucceeds"), ("errors.unknownItem", "children.ofUnknown"),
            ("listing.document", "children.ofDocument"), ("reading.folder", "fetch.folderSucceeds"),
            ("modifying.unknown", "modify.resurrects"), ("creating.collision", "create.replaces"),
            ("changes.foreignAnchor", "changes.anyAnchor"), ("errors.steady", "wire.wrongType"),
        ]))
    func words(name: String, script: String) async throws {
        let result = try await result(name, with: script)
        #expect(result.isFailure, "\(name) with \(script)")
        for finding in result.findings {
            #expect(RawText.hits(in: finding).isEmpty, "\(finding)")
        }
    }
}
