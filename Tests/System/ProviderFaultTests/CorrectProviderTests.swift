import DocentTestSupport
import Faulty
import FileProviderValidation
import Testing

/// Without a fault the reference provider passes everything: the cases require nothing impossible.
@Suite(.needs(.programs)) struct CorrectProviderTests {
    private static let here = WireTransport.inProcess.abilities

    private func expectPassed(_ testCase: ValidationCase, _ run: FaultyRun, mayBeSkipped: Bool = true) async {
        var run = run
        run.hasService = testCase.needsService
        let result = await run.run(testCase)
        #expect(result.outcome != .notTried, "\(result.reason ?? "")")
        #expect(!result.isFailure, "\(ValidationReport.lines(of: result).joined(separator: "\n"))")
        #expect(mayBeSkipped || result.outcome != .skipped, "\(result.reason ?? "")")
    }

    @Test(
        "the class with all abilities passes every case, up to the highest level",
        arguments: Sample.shared.of(ValidationCase.all.filter { $0.abilities.isSubset(of: here) }))
    func full(_ testCase: ValidationCase) async { await expectPassed(testCase, FaultyRun()) }

    @Test(
        "the class with all abilities also passes the cases that need a separate process",
        arguments: Sample.shared.of(
            ValidationCase.all.filter {
                [.kill, .measure].contains($0.abilities.intersection([.kill, .measure]))
            }))
    func apart(_ testCase: ValidationCase) async {
        await expectPassed(testCase, FaultyRun(isApart: true), mayBeSkipped: false)
    }

    @Test(
        "the class with a trash and a history passes the cases about them",
        arguments: Sample.shared.of(
            ValidationCase.all.filter {
                ["trash", "versions", "declaring", "deleting"].contains($0.group) && $0.abilities.isSubset(of: here)
            }))
    func trash(_ testCase: ValidationCase) async { await expectPassed(testCase, FaultyRun(subject: .trash)) }

    @Test(
        "the read-only class passes every case",
        arguments: Sample.shared.of(
            ValidationCase.all.filter { $0.abilities.isSubset(of: here) && $0.neededFeatures.isEmpty }))
    func readOnly(_ testCase: ValidationCase) async { await expectPassed(testCase, FaultyRun(subject: .readOnly)) }

    @Test(
        "the class of local files passes every case",
        arguments: Sample.shared.of(
            ValidationCase.all.filter {
                $0.abilities.isSubset(of: here) && Set($0.neededFeatures).isSubset(of: ["inPlace", "changes"])
            }))
    func inPlace(_ testCase: ValidationCase) async { await expectPassed(testCase, FaultyRun(subject: .inPlace)) }

    @Test("a service that is busy for a moment while many documents are made is no fault of the provider")
    func busy() async throws {
        let testCase = try #require(ValidationCase.all.first { $0.name == "listing.pages" })
        await expectPassed(testCase, FaultyRun(script: "create.error=Busy@20-24"), mayBeSkipped: false)
    }

    @Test(
        "a slow service with failures is no fault of the provider",
        arguments: Sample.shared.of(ValidationCase.all.filter(\.needsService)))
    func slowService(_ testCase: ValidationCase) async {
        await expectPassed(testCase, FaultyRun(settings: ["latency": "0.3"]), mayBeSkipped: false)
    }

    @Test(
        "faults that only occur when the service fails or others change it are found by no other case of level 5",
        arguments: Sample.shared.of(
            ValidationCase.all.filter {
                $0.level <= 5 && !$0.needsService && $0.abilities.isSubset(of: here)
            }))
    func servedFaults(_ testCase: ValidationCase) async {
        let script = CaughtFault.served.map(\.script).joined(separator: ";")
        await expectPassed(testCase, FaultyRun(script: script, level: 5))
    }

    @Test(
        "a provider that keeps both sides of a conflict passes where a conflict is caused",
        arguments: Sample.shared.of(
            ValidationCase.all.filter {
                ["modifying", "writers"].contains($0.group) && $0.abilities.isSubset(of: here)
            }))
    func keepsConflicts(_ testCase: ValidationCase) async {
        await expectPassed(testCase, FaultyRun(settings: ["conflicts": "keep"]))
    }
}
