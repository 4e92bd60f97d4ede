import DocentTestSupport
import Foundation
import Storage
import Testing

/// Settling a conflict, by a person and by Docent itself, while the daemon is killed.
@Suite(.needs(.daemon, .server)) struct ConflictKillTests {
    private struct Conflict: Decodable {
        var name: String
    }

    private struct LogEntry: Decodable {
        var event: String
        var client: String
    }

    /// A text of nine lines, of which one is another.
    private static func text(_ changes: [Int: String] = [:]) -> String {
        (1...9).map { (changes[$0] ?? "line \($0)") + "\n" }.joined()
    }

    /// Runs a body with a document that was changed here and on the server.
    private static func withConflict(_ body: (RemoteInstallation) async throws -> Void) async throws {
        try await RemoteInstallation.with { server in
            try await server.put(text(), "a.txt")
        } _: { remote in
            #expect(try await remote.read("a.txt") == text())
            try await remote.faults().refuse()
            try await remote.write(text([2: "mine"]), "a.txt").succeeded()
            try await remote.server.put(text([8: "theirs"]), "a.txt")
            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)
            #expect(try await conflicts(remote) == 1)
            try await body(remote)
        }
    }

    private static func conflicts(_ remote: RemoteInstallation) async throws -> Int {
        try await remote.docent("conflicts", "--json").succeeded().json([Conflict].self).count
    }

    /// All contents of the document that can be had here.
    private static func contents(_ remote: RemoteInstallation) async throws -> Set<String> {
        let location = remote.location("a.txt")
        var found: Set = [try await remote.read("a.txt")]
        for version in try await HistoryTests.history(remote.installation, location).dropFirst() {
            found.insert(try await HistoryTests.show(remote.installation, location, version))
        }
        return found
    }

    @Test(
        "V6, V8: a conflict that a person settles while the daemon is killed is settled in the end, and nothing is lost",
        arguments: Sample.shared.of(WriteStep.allCases))
    func resolving(step: WriteStep) async throws {
        try await Self.withConflict { remote in
            let (mine, theirs) = (Self.text([2: "mine"]), Self.text([8: "theirs"]))
            try await remote.installation.stopDaemon()
            let daemon = try await remote.installation.readyDaemon(crashAfter: step.rawValue)
            async let resolving = remote.docent("resolve", remote.location("a.txt"), "--keep", "mine")
            try await remote.installation.waitForEnd(of: daemon)
            let outcome = try await resolving
            try await remote.settle()
            // The command repeats what it can with the next daemon. If not, the conflict is still there.
            if outcome.status != 0 {
                #expect(try await Self.conflicts(remote) == 1, "\(outcome.errors)")
                try await remote.docent("resolve", remote.location("a.txt"), "--keep", "mine").succeeded()
                #expect(try await remote.drain().status == 0)
            }
            #expect(try await Self.conflicts(remote) == 0)
            #expect(try await remote.server.text("a.txt") == mine)
            #expect(try await Self.contents(remote).isSuperset(of: [mine, theirs]))
            #expect(try await remote.server.list() == ["a.txt"])
        }
    }

    @Test(
        "V6, V8: a conflict that Docent merges by itself while the daemon is killed is merged in the end, and once",
        arguments: Sample.shared.of([nil] + WriteStep.allCases.map(Optional.some)))
    func merging(step: WriteStep?) async throws {
        try await Self.withConflict { remote in
            let installation = remote.installation
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step?.rawValue)
            async let turning = remote.docent("versions", "keep", "--merge", "on", remote.location("a.txt"))
            if step != nil { try await installation.waitForEnd(of: daemon) }
            // The rule is kept before anything is merged, whether or not the command got its answer.
            let turned = try await turning
            if step == nil { try turned.succeeded() }
            try await remote.settle()
            try await installation.eventually("the conflict is merged") { try await Self.conflicts(remote) == 0 }
            #expect(try await remote.drain().status == 0)
            let merged = Self.text([2: "mine", 8: "theirs"])
            #expect(try await remote.server.text("a.txt") == merged)
            #expect(try await remote.read("a.txt") == merged)
            #expect(
                try await Self.contents(remote).isSuperset(of: [Self.text([2: "mine"]), Self.text([8: "theirs"])]))
            #expect(try await remote.server.list() == ["a.txt"])
            let log = try await remote.docent("log", "--json").succeeded().json([LogEntry].self)
            let entries = log.filter { $0.event == "merged" }
            #expect(!entries.isEmpty && entries.allSatisfy { $0.client == "docent" })
            try await installation.eventually("nothing is left, but \(installation.leftovers)") {
                installation.leftovers.isEmpty
            }
        }
    }
}
