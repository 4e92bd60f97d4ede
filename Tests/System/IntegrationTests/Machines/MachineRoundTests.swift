import DocentTestSupport
import Foundation
import Testing

/// Three machines of one person change the documents of one server.
@Suite(.needs(.daemon, .processor, .server, within: .seconds(3600))) struct MachineRoundTests {
    /// `DOCENT_TEST_MACHINE_ROUNDS="FROM TO"` selects the seeds, TO excluded. By default all run in `make test-full`,
    /// and none otherwise: what happens depends on the times of three daemons, so a seed does not repeat a failure.
    static let seeds: [Int] = {
        guard let given = ProcessInfo.processInfo.environment["DOCENT_TEST_MACHINE_ROUNDS"] else {
            return Sample.shared.isWhole ? Array(0..<20) : []
        }
        let bounds = given.split(separator: " ").compactMap { Int($0) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return [] }
        return Array(bounds[0]..<bounds[1])
    }()

    /// With all seeds 10,000 steps.
    static let steps = 500

    @Test(
        "O3: whatever three machines do to the same documents, each saved content is current, a version or deleted on purpose",
        arguments: seeds)
    func round(seed: Int) async throws {
        try await WebDAVServer.with(.apache) { server in
            try await Self.with(server, []) { machines in
                var round = MachineRound(seed: seed, server: server, machines: machines)
                let tally = try await round.run(steps: Self.steps)
                print("seed \(seed): \(tally)")
                #expect(tally.lost.isEmpty, "\(tally.lost)\n\(round.report)")
                #expect(tally.differences.isEmpty, "\(tally.differences)\n\(round.report)")
                #expect(tally.saves > Self.steps / 5, "\(tally)")
            }
        }
    }

    private static func with(
        _ server: WebDAVServer, _ machines: [RemoteInstallation], _ body: ([RemoteInstallation]) async throws -> Void
    ) async throws {
        guard machines.count < 3 else { return try await body(machines) }
        try await RemoteInstallation.with(at: server) { try await with(server, machines + [$0], body) }
    }
}
