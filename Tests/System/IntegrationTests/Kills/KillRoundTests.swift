import DocentTestSupport
import Foundation
import Glibc
import Testing

@Suite(
    "Random kills during saves: every confirmed save is present after the restart (law 6, W)",
    .needs(.daemon, .server))
struct KillRoundTests {
    /// `DOCENT_TEST_KILL_ROUNDS="FROM TO"` selects the seeds, TO excluded; `Scripts/kill-table.sh` runs 200. The
    /// default is a part of forty.
    static let seeds: [Int] = {
        guard let given = ProcessInfo.processInfo.environment["DOCENT_TEST_KILL_ROUNDS"] else {
            return Sample.shared.of(Array(0..<40))
        }
        let bounds = given.split(separator: " ").compactMap { Int($0) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return [] }
        return Array(bounds[0]..<bounds[1])
    }()

    @Test(
        "W: after kill -9 of any process at any moment nothing confirmed is lost, duplicated or mixed", arguments: seeds
    )
    func round(seed: Int) async throws {
        let plan = KillPlan(seed: seed)
        var options = RemoteInstallation.Options()
        options.throughProxy = false
        let tally = try await RemoteInstallation.with(plan.server, options: options) { server in
            for document in 0..<KillPlan.documents {
                try await server.put(KillRound.original(document), KillRound.name(document))
            }
        } _: { remote in
            // As in practice: listed, and one document read.
            try await remote.docent("ls", remote.location("")).succeeded()
            _ = try await remote.read(KillRound.name(0))
            var round = KillRound(seed: seed, remote: remote)
            return try await round.run(plan)
        }
        try Self.record(tally)
        #expect(tally.lost.isEmpty, "confirmed and lost")
        #expect(tally.duplicates.isEmpty, "duplicated")
        #expect(tally.mixed.isEmpty, "content of no save")
        #expect(tally.confirmed == tally.current + tally.replaced + tally.keptAsVersion + tally.lost.count)
    }

    /// Appends a line to the file from which `Scripts/kill-table.sh` creates the table.
    private static func record(_ tally: KillRound.Tally) throws {
        guard let path = ProcessInfo.processInfo.environment["DOCENT_TEST_KILL_RESULTS"] else { return }
        let line = try JSONEncoder().encode(tally) + Data("\n".utf8)
        // Rounds run concurrently: each line is one write at the end.
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let count = line.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count == line.count else { throw Problem("the tally could not be written to \(path)") }
    }
}
