import DocentTestSupport
import Foundation
import Glibc
import Testing

/// kill -9 of each of the three processes around a plugin (law 3).
@Suite(.needs(.daemon, .server)) struct ExtensionDeathTests {
    private enum Victim: String, CaseIterable { case plugin, supervisor, bubblewrap }

    private static func parent(_ process: pid_t) throws -> pid_t {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
        return try #require(line?.split(separator: "\t").last.flatMap { pid_t($0) })
    }

    /// Whether it is gone completely: not a zombie either.
    private static func isGone(_ process: pid_t) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

    @Test(
        "law 3: the status names the plugin's own process; killing any of its processes ends all of them, and the next call works"
    )
    func killed() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            for victim in Victim.allCases {
                try await TestStep.run(victim.rawValue) { try await Self.expectNew(after: victim, installation) }
                // Each time it is the first crash.
                try await installation.docent("provider", "reset", "org.docent.LocalFolder").succeeded()
            }
        }
    }

    /// Kills one of the processes, and expects that all end and the next call starts new ones.
    private static func expectNew(after victim: Victim, _ installation: Installation) async throws {
        try await installation.docent("ls", "LocalFolder:/").succeeded()
        let before = try await installation.status()
        let running = try #require(before.extensions.first { $0.state == "running" }, "\(victim)")
        let plugin = try #require(running.processIdentifier, "\(victim)")
        // Its own code runs in there, and no other.
        let maps = try await installation.run("/bin/cat", ["/proc/\(plugin)/maps"]).succeeded().text
        #expect(maps.contains("libLocalFolder.so"), "\(victim)")
        let supervisor = try parent(plugin)
        let bubblewrap = try parent(supervisor)
        #expect(try parent(bubblewrap) == before.processIdentifier, "\(victim)")
        #expect(installation.read("/proc/\(bubblewrap)/comm") == "bwrap\n", "\(victim)")
        let logged = installation.read(installation.log)?.count ?? 0
        let target =
            switch victim {
            case .plugin: plugin
            case .supervisor: supervisor
            case .bubblewrap: bubblewrap
            }
        kill(target, SIGKILL)
        try await installation.eventually("all three are gone") {
            [plugin, supervisor, bubblewrap].allSatisfy(isGone)
        }
        let text = try await installation.docent("cat", "LocalFolder:/a.txt").succeeded().text
        #expect(text == "hello", "\(victim)")
        let after = try await installation.status()
        let next = try #require(after.extensions.first { $0.point == running.point }, "\(victim)")
        #expect(
            next.state == "running" && next.processIdentifier != plugin && next.crashes == 1, "\(victim): \(next)")
        #expect(after.processIdentifier == before.processIdentifier, "\(victim)")
        let news = (installation.read(installation.log) ?? "").dropFirst(logged)
        #expect(news.contains("signal 9"), "\(victim)")
    }

    @Test("S1: doctor starts a trial sandbox and leaves no process running")
    func rehearsal() async throws {
        struct Check: Decodable {
            var name: String
            var status: String
            var detail: String
        }
        try await Installation.with { installation in
            let outcome = try await installation.docent("doctor", "--json")
            let checks = try outcome.json([Check].self)
            let sandbox = try #require(checks.first { $0.name == "sandbox" })
            #expect(sandbox.status == "ok", "\(sandbox.detail)")
            #expect(try await installation.status().extensions.isEmpty)
            let daemon = try #require(installation.daemonProcess)
            let names = ProcessMemory.descendants(of: daemon).compactMap { installation.read("/proc/\($0)/comm") }
            #expect(!names.contains { $0.hasPrefix("bwrap") || $0.hasPrefix("docent") }, "\(names)")
        }
    }
}
