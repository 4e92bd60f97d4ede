import DocentTestSupport
import Documents
import Foundation
import Testing

/// The versions of packages on a server, and settling their conflicts.
@Suite(.needs(.daemon, .server)) struct RemotePackageHistoryTests {
    private struct Conflict: Decodable {
        var name: String
    }

    private static let old = ["TXT.rtf": "old", "Assets/1.png": "one"]

    private static func with(_ body: (RemoteInstallation, TestPackage) async throws -> Void) async throws {
        try await RemoteInstallation.with { server in
            try await RemotePackageTests.put("p.rtfd", old, server)
        } _: { remote in
            let client = remote.installation.client()
            let package = try await RemotePackageTests.open("p.rtfd", remote, client: client)
            #expect(try await package.read() == old)
            try await body(remote, package)
            client.close()
        }
    }

    private static func conflicts(_ remote: RemoteInstallation) async throws -> [Conflict] {
        try await remote.docent("conflicts", "--json").succeeded().json([Conflict].self)
    }

    @Test("V1, V4: the package that a save replaces is kept here, and a restored one is sent, but only what differs")
    func restores() async throws {
        try await Self.with { remote, package in
            let location = remote.location("p.rtfd")
            try await package.save(["TXT.rtf": "new"])
            #expect(try await remote.drain().status == 0)
            let versions = try await HistoryTests.history(remote.installation, location)
            #expect(versions.map(\.reason) == [nil, "superseded"])
            #expect(versions.first?.savedBy == "org.docent.tests")
            #expect(try await PackageHistoryTests.kept(package) == [Self.old])
            let version = try #require(versions.last?.version)
            let diff = try await remote.docent("diff", location, version).succeeded().text
            #expect(diff.contains("changed") && !diff.contains("Assets/1.png"), "\(diff)")
            try await remote.docent("restore", location, "--version", version).succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await RemotePackageTests.content("p.rtfd", Array(Self.old.keys), remote.server) == Self.old)
            #expect(try await remote.faults().requests("PUT").count == 2)
            let all = try await PackageHistoryTests.kept(package)
            #expect(all == [Self.old.merging(["TXT.rtf": "new"]) { $1 }, Self.old])
        }
    }

    @Test(
        "V6: the conflicts in a package are settled by its name, without a loss", arguments: ["theirs", "mine", "both"])
    func resolves(choice: String) async throws {
        try await Self.with { remote, package in
            try await remote.faults().refuse()
            try await package.save(["TXT.rtf": "mine", "Assets/1.png": "mine too"])
            try await remote.server.put("theirs", "p.rtfd/TXT.rtf")
            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)
            try await remote.installation.eventually("the conflict is known", within: 60) {
                try await Self.conflicts(remote).map(\.name) == ["TXT.rtf"]
            }
            let location = remote.location("p.rtfd")
            let settled = try await remote.docent("resolve", location, "--keep", choice).succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await Self.conflicts(remote).isEmpty)
            let expected = ["TXT.rtf": choice == "mine" ? "mine" : "theirs", "Assets/1.png": "mine too"]
            #expect(try await RemotePackageTests.content("p.rtfd", Array(expected.keys), remote.server) == expected)
            // The provider's own records are beside the documents.
            let names = try await remote.server.list().filter { !$0.hasPrefix(".docent-") }
            #expect(names.count == (choice == "both" ? 2 : 1), "\(names)")
            if choice == "both" {
                #expect(settled.text.contains("TXT (version of"), "\(settled.text)")
                for name in names where name != "p.rtfd" { #expect(try await remote.server.text(name) == "mine") }
            }
            let late = try await remote.docent("resolve", location, "--keep", "mine").succeeded()
            #expect(late.errors.contains("no unresolved conflicts"))
        }
    }
}
