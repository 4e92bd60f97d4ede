import DocentTestSupport
import Documents
import Foundation
import Testing

/// The version of a package on a WebDAV server, with which readers and writers distinguish foreign changes from their
/// own (M4, HAZARDS 5).
@Suite(.needs(.daemon, .server)) struct RemotePackageVersionTests {
    private static let content = ["1.txt": "one", "2.txt": "two", "Assets/3.txt": "three"]

    private static func withPackage(
        _ body: (RemoteInstallation, DocumentsClient, TestPackage) async throws -> Void
    ) async throws {
        try await RemoteInstallation.with { server in
            try await RemotePackageTests.put("p.rtfd", content, server)
        } _: { remote in
            let client = remote.installation.client()
            let package = try await RemotePackageTests.open("p.rtfd", remote, client: client)
            #expect(try await package.read() == content)
            try await body(remote, client, package)
            client.close()
        }
    }

    private static func version(_ package: TestPackage) async throws -> String? {
        try await package.client.document(package.reference).item().version
    }

    // Checked repeatedly, also by the concurrent polls.
    private static func expectStays(_ version: String?, _ package: TestPackage, _ when: String) async throws {
        for _ in 0..<15 {
            #expect(try await Self.version(package) == version, "\(when)")
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    @Test("M4, HAZARDS 5: a saved package has the same version before, during and after the server's replacement")
    func stays() async throws {
        try await Self.withPackage { remote, _, package in
            for round in 1...2 {
                // The server has the new package, but this is not recorded yet: the old one still has to be removed.
                try await remote.faults().add(.hold().on("DELETE", ".old"))
                let saved = try await package.save(["\(round).txt": "new"])
                _ = try await remote.faults().request("the old package is removed") {
                    $0.method == "DELETE" && $0.path.contains(".old") && !$0.finished
                }
                #expect(try await remote.server.text("p.rtfd/\(round).txt") == "new")
                try await Self.expectStays(saved.version, package, "while it is replaced")
                _ = try await remote.docent("refresh", remote.location("p.rtfd")).succeeded()
                #expect(try await Self.version(package) == saved.version)
                try await remote.faults().release()
                #expect(try await remote.drain().status == 0)
                try await Self.expectStays(saved.version, package, "afterwards")
                try await remote.faults().reset()
            }
            let expected = ["1.txt": "new", "2.txt": "new", "Assets/3.txt": "three"]
            #expect(try await package.read() == expected)
            #expect(try await remote.versions().isEmpty)
        }
    }

    @Test("M4, HAZARDS 5: the version stays the same when the daemon is killed after the server's replacement")
    func survives() async throws {
        try await Self.withPackage { remote, _, package in
            try await remote.faults().add(.hold().on("DELETE", ".old"))
            let saved = try await package.save(["1.txt": "new"])
            _ = try await remote.faults().request("the old package is removed") {
                $0.method == "DELETE" && $0.path.contains(".old")
            }
            try await remote.killDaemon()
            // The next daemon's requests are delayed, so that a client asks it before it has recognised its own change.
            try await remote.faults().reset()
            try await remote.faults().add(.delay(1).on("PROPFIND").always)
            #expect(try await Self.version(package) == saved.version)
            try await remote.faults().reset()
            #expect(try await remote.drain().status == 0)
            try await Self.expectStays(saved.version, package, "afterwards")
        }
    }

    @Test(
        "HAZARDS 5: a foreign change during the server's replacement of a package is recognized as a change")
    func writtenMeanwhile() async throws {
        try await Self.withPackage { remote, _, package in
            try await remote.faults().add(.hold().on("DELETE", ".old"))
            let saved = try await package.save(["1.txt": "new"])
            _ = try await remote.faults().request("the old package is removed") {
                $0.method == "DELETE" && $0.path.contains(".old")
            }
            try await remote.server.put("theirs", "p.rtfd/2.txt")
            try await remote.faults().release()
            #expect(try await remote.drain().status == 0)
            let expected = ["1.txt": "new", "2.txt": "theirs", "Assets/3.txt": "three"]
            try await remote.installation.eventually("their change has arrived", within: 90) {
                try await package.read() == expected
            }
            #expect(try await Self.version(package) != saved.version)
            #expect(
                try await RemotePackageTests.content("p.rtfd", Array(expected.keys), remote.server) == expected)
        }
    }

    @Test("HAZARDS 5: the version returned by a save does not cover foreign changes made meanwhile")
    func unseen() async throws {
        try await Self.withPackage { remote, _, package in
            let session = try await package.begin()
            try await session.write(Data("ours".utf8), at: "1.txt")
            try await remote.server.put("theirs", "p.rtfd/2.txt")
            let saved = try await session.commit()
            #expect(try await remote.drain().status == 0)
            #expect(try await package.read()["2.txt"] == "theirs")
            #expect(try await Self.version(package) != saved.version)
        }
    }
}
