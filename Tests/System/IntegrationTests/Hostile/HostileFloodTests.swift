import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// T1, T4: noise, and clients that exceed their share.
@Suite(.needs(.daemon, .userLimits, within: .seconds(900))) struct HostileFloodTests {
    @Test("T1, T4: a million random bytes at every interface are refused clearly and disturb no other client")
    func noise() async throws {
        try await HostileStage.with { stage in
            let before = try await Self.figures(stage)
            // For a minute, with other bytes each time, when everything is tested.
            let end = ContinuousClock.now + (Sample.shared.isWhole ? .seconds(60) : .zero)
            var seed = 5
            let report = try await Victim(stage).during {
                repeat {
                    try await Self.makeNoise(stage, seed)
                    seed += 1
                } while ContinuousClock.now < end
            }
            #expect(report.failures.isEmpty && report.rounds > 0, "\(report)")
            try await Self.expectSettled(stage, before, report, "noise")
            #expect(
                stage.installation.read(stage.installation.documents + "/secret.txt") == "the content of secret.txt")
        }
    }

    private static func makeNoise(_ stage: HostileStage, _ seed: Int) async throws {
        let lines = try await stage.attack("noise", ["seed": seed])
        lines.expect("random bytes", ["taken"])
        lines.expect("random messages", ["taken"])
        lines.expect("flipped bits", ["taken"])
        lines.expect("control", ["worked"])
        #expect(!lines.contains { $0.attack.hasPrefix("no clear answer") }, "\(lines)")
        for interface in ["Picker", "Administration"] {
            let words = lines.answers("random calls of org.docent.\(interface)").flatMap { $0.split(separator: " ") }
            #expect(!words.isEmpty && !words.contains("worked"), "\(words)")
        }
    }

    @Test(
        "T4: a number or a string at the limit of its range, in any parameter, gets a clear answer and ends no daemon")
    func extremes() async throws {
        try await HostileStage.with { stage in
            let before = try await Self.figures(stage)
            let lines = try await stage.attack("extremes")
            lines.expect("control", ["worked"])
            lines.expect("org.docent.Documents.", Self.clear)
            // The number of a missing descriptor is not a temporary failure worth a retry.
            for line in lines where [" file", " source", " thumbnail"].contains(where: line.attack.hasSuffix) {
                #expect(line.came != "Unavailable", "\(line)")
            }
            #expect(try await Self.figures(stage).process == before.process, "the daemon has changed")
        }
    }

    /// The allowed answers to nonsense: never an internal failure of the daemon, nor silence.
    private static let clear: Set<String> = [
        "InvalidParameter", "InvalidArgument", "NotFound", "NotPermitted", "Conflict", "ClaimLost", "NotSupported",
        "NoSpace",
        "Unavailable", "Cancelled", "DeadlineExceeded", "ExpectedMore", "worked", "closed",
    ]

    /// A flood, and the effects of its first run, which fills permanent pools.
    struct Flood: Sendable, CustomTestStringConvertible {
        var name: String
        var small: [String: Int] = [:]
        var full: [String: Int] = [:]
        var testDescription: String { name }
    }

    @Test(
        "T4: whatever a client takes, the daemon's resources stay bounded, no other client is disturbed, and nothing is left",
        arguments: Sample.shared.of([
            Flood(name: "opens", small: ["opens": 2_000], full: ["opens": 100_000]),
            Flood(name: "in-flight", small: ["connections": 70], full: ["connections": 400]),
            Flood(name: "connections", small: ["connections": 300], full: ["connections": 10_000]),
            Flood(name: "crowd", small: ["processes": 2]),
            Flood(name: "halves", small: ["patience": 5]),
            Flood(name: "messages", small: ["seconds": 1]),
            Flood(name: "claims", small: ["claims": 70]),
            Flood(name: "unread", small: ["changes": 5]),
        ]))
    func flood(_ flood: Flood) async throws {
        try await HostileStage.with { stage in
            _ = try await Self.attack(stage, flood, flood.small)
            try await stage.installation.eventually("the first flood is over", within: 60) {
                try await Self.status(stage).sessions <= 2
            }
            let before = try await Self.figures(stage)
            var held: DaemonFigures?
            let report = try await Victim(stage).during {
                held = try await Self.attack(stage, flood, flood.full)
            }
            let most = try #require(held)
            #expect(most.process == before.process, "the daemon has changed")
            #expect(report.failures.isEmpty && report.rounds > 0, "\(report)")
            // The resources that one client can occupy are bounded, however much it requests.
            #expect(most.resident - before.resident < 256 << 20, "before: \(before); during: \(most)")
            #expect(most.descriptors - before.descriptors < 1_200, "before: \(before); during: \(most)")
            try await Self.expectSettled(stage, before, report, "\(flood.name), \(most) meanwhile")
        }
    }

    /// Runs a flood to its peak, checks the daemon, and lets the flood end.
    private static func attack(
        _ stage: HostileStage, _ flood: Flood, _ numbers: [String: Int]
    ) async throws -> DaemonFigures {
        let shared = stage.shared
        for name in ["holding", "over"] { try? FileManager.default.removeItem(atPath: "\(shared)/\(name)") }
        let plan: [String: Any] = ["flood": flood.name].merging(numbers) { $1 }
        let text = try JSONSerialization.data(withJSONObject: plan)
        async let lines = stage.attack("floods", try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:])
        try await stage.installation.eventually("\(flood.name) is at its peak", within: 400) {
            FileManager.default.fileExists(atPath: shared + "/holding")
        }
        let figures = try await figures(stage)
        _ = FileManager.default.createFile(atPath: shared + "/over", contents: nil)
        for line in try await lines { print("hostile:", line) }
        return figures
    }

    private static func status(_ stage: HostileStage) async throws -> AdministrationInterface.Status.Reply {
        let outside = stage.installation.client("org.docent.cli")
        defer { outside.close() }
        return try await outside.call(AdministrationInterface.Status.self, .init()).value
    }

    private static func figures(_ stage: HostileStage) async throws -> DaemonFigures {
        try DaemonFigures(pid_t(try await status(stage).processIdentifier))
    }

    /// Expects the numbers of descriptors and threads to return to their previous values.
    private static func expectSettled(
        _ stage: HostileStage, _ before: DaemonFigures, _ report: Victim.Report, _ what: String
    ) async throws {
        try await stage.installation.eventually("descriptors and threads are as many as before", within: 120) {
            let now = try DaemonFigures(before.process)
            return now.descriptors <= before.descriptors + 8 && now.threads <= before.threads + 8
        }
        let after = try await figures(stage)
        #expect(after.process == before.process, "the daemon has changed")
        print("hostile: \(what): before \(before); after \(after); the victim: \(report)")
    }
}
