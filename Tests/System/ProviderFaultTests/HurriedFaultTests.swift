import DocentTestSupport
import Faulty
import FileProviderValidation
import Testing

/// Faults that only occur during another call.
@Suite(.needs(.programs)) struct HurriedFaultTests {
    @Test(
        "content that is overwritten in place or swapped is caught at level 5, with any seed",
        arguments: Sample.shared.of((1...20).flatMap { seed in CaughtFault.hurried.map { (seed, $0) } }))
    func caught(_ seed: Int, _ caught: CaughtFault) async throws {
        let testCase = try #require(ValidationCase.all.first { $0.name == caught.caseName })
        #expect(testCase.level <= 5)
        // The latency of a nearby server. Without it neither side gets a thread here while the other is busy.
        var run = FaultyRun(script: caught.script, settings: ["latency": "0.05"])
        run.level = 5
        run.seed = UInt64(seed)
        let result = await run.run(testCase)
        #expect(result.isFailure, "\(caught.testDescription), seed \(seed): \(result.outcome)")
    }
}
