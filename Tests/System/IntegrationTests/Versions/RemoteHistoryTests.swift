import DocentTestSupport
import Foundation
import Testing

/// The versions of documents on a server, and settling conflicts.
@Suite(.needs(.daemon, .server)) struct RemoteHistoryTests {
    private struct Conflict: Decodable {
        struct Version: Decodable {
            var version: String
            var reason: String
        }

        var name: String
        var location: String?
        var versions: [Version]
    }

    private static func history(_ remote: RemoteInstallation, _ name: String) async throws -> [HistoryTests.Version] {
        try await HistoryTests.history(remote.installation, remote.location(name))
    }

    private static func conflicts(_ remote: RemoteInstallation) async throws -> [Conflict] {
        try await remote.docent("conflicts", "--json").succeeded().json([Conflict].self)
    }

    /// Makes a conflict: "mine" was saved here, and "theirs" is on the server.
    static func collide(_ remote: RemoteInstallation, _ name: String) async throws {
        #expect(try await remote.read(name) == "old")
        try await remote.faults().refuse()
        try await remote.write("mine", name).succeeded()
        try await remote.server.put("theirs", name)
        try await remote.faults().accept()
        #expect(try await remote.drain().status == 0)
    }

    @Test("V1, V4: the local copy that a save replaces is kept, and a restored version is sent to the server")
    func restores() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            #expect(try await remote.read("a.txt") == "old")
            try await remote.write("new", "a.txt").succeeded()
            #expect(try await remote.drain().status == 0)
            let versions = try await Self.history(remote, "a.txt")
            #expect(versions.map(\.reason) == [nil, "superseded"] && versions[0].savedBy == "org.docent.cli")
            try await remote.docent("restore", remote.location("a.txt"), "--version", versions[1].version).succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "old")
            #expect(try await Self.history(remote, "a.txt").map(\.reason) == [nil, "replaced", "superseded"])
            #expect(try await remote.server.list() == ["a.txt"])
        }
    }

    @Test(
        "V6: a conflict is listed and reported by the next save, and each choice settles it without a loss",
        arguments: ["theirs", "mine", "both"])
    func resolves(choice: String) async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            try await Self.collide(remote, "a.txt")
            let conflict = try #require(try await Self.conflicts(remote).first)
            #expect(conflict.name == "a.txt" && conflict.location?.hasSuffix(":/a.txt") == true)
            #expect(conflict.versions.map(\.reason) == ["conflict"])
            let again = try await remote.write("theirs, edited", "a.txt").succeeded()
            #expect(again.errors.contains("docent resolve"), "\(again.errors)")
            #expect(try await remote.drain().status == 0)

            let settled = try await remote.docent("resolve", remote.location("a.txt"), "--keep", choice).succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await Self.conflicts(remote).isEmpty)
            #expect(try await remote.info("a.txt").conflicts == 0)
            #expect(try await remote.server.text("a.txt") == (choice == "mine" ? "mine" : "theirs, edited"))
            let names = try await remote.server.list()
            #expect(names.count == (choice == "both" ? 2 : 1))
            if choice == "both" {
                #expect(settled.text.contains("a (version of"))
                for name in names where name != "a.txt" { #expect(try await remote.server.text(name) == "mine") }
            }
            let versions = try await Self.history(remote, "a.txt")
            let mine = try #require(versions.first { $0.isConflict })
            #expect(mine.isResolved)
            #expect(try await HistoryTests.show(remote.installation, remote.location("a.txt"), mine) == "mine")
            // Somebody has settled it already.
            let late = try await remote.docent("resolve", remote.location("a.txt"), "--keep", "mine").succeeded()
            #expect(late.errors.contains("no unresolved conflicts"))
        }
    }
}
