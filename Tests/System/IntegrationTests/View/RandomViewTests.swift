import DocentTestSupport
import Foundation
import Testing

/// Files of a view are written, read, renamed and removed at random, and compared with a model after each step.
@Suite(.needs(.daemon)) struct RandomViewTests {
    /// That of the whole run, so that a failure can be repeated.
    private static let seed =
        ProcessInfo.processInfo.environment["DOCENT_TEST_SEED"].flatMap { UInt32($0) } ?? .random(in: 0...99_999)

    @Test("a file contains what was written to it, whatever its other users do")
    func steps() async throws {
        try await ViewWorld.with { world in
            let seed = Self.seed
            let outcome = try await world.run(
                "rm a.txt && python3 '\(Repository.root)/Tests/Programs/random_files.py' . \(seed) 4")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }
}
