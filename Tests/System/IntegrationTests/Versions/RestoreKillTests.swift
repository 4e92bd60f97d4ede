import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// kill -9 of the daemon while it restores a version.
@Suite(.needs(.daemon)) struct RestoreKillTests {
    /// Restores the oldest version of a document with a daemon that ends at a step, and waits until all is settled.
    private static func restore(
        _ installation: Installation, _ location: String, killedAfter step: String
    ) async throws {
        let versions = try await HistoryTests.history(installation, location)
        let version = try #require(versions.last?.version)
        try await installation.stopDaemon()
        let daemon = try await installation.readyDaemon(crashAfter: step)
        _ = try await installation.docent("restore", location, "--version", version)
        if daemon.isRunning { try await installation.killDaemon(daemon) }
        try await installation.waitForEnd(of: daemon)
        try await installation.docent("info", location).succeeded()
        try await installation.eventually("nothing is left: \(installation.leftovers)", within: 90) {
            installation.leftovers.isEmpty
        }
    }

    @Test(
        "V8: after kill -9 at a step of a restoration a document is the old or the new one, and the other is a version",
        arguments: Sample.shared.of(Installation.writeSteps))
    func document(step: String) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_RESUME_SECONDS": "0"]) { installation in
            let location = "LocalFolder:/a.txt"
            try installation.write("old", to: "a.txt")
            try await installation.docent("write", location, input: Data("new".utf8)).succeeded()
            try await Self.restore(installation, location, killedAfter: step)
            let content = try #require(installation.read(installation.documents + "/a.txt"))
            var kept: Set<String> = []
            for version in try await HistoryTests.history(installation, location).dropFirst() {
                kept.insert(try await HistoryTests.show(installation, location, version))
            }
            #expect(["old", "new"].contains(content), "\(content)")
            #expect(kept.union([content]).isSuperset(of: ["old", "new"]), "\(content), \(kept)")
            #expect(installation.documentNames == ["a.txt"])
        }
    }

    @Test(
        "V8: after kill -9 at a step of a restoration a package is the old or the new one, and the other is a version",
        arguments: Sample.shared.of([
            "linked", "committed", "renamed", "published", "recorded", "uploadRecorded", "uploaded",
        ]))
    func package(step: String) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_RESUME_SECONDS": "0"]) { installation in
            let (old, new) = (["TXT.rtf": "old", "b/c.txt": "c"], ["TXT.rtf": "new", "b/c.txt": "c"])
            try installation.makePackage("p.rtfd", old)
            let client = installation.client()
            try await installation.openPackage("p.rtfd", client: client).save(["TXT.rtf": "new"])
            client.close()
            try await Self.restore(installation, "LocalFolder:/p.rtfd", killedAfter: step)
            let later = installation.client()
            let package = try await installation.openPackage("p.rtfd", client: later)
            let content = installation.package("p.rtfd")
            let kept = Set(try await PackageHistoryTests.kept(package))
            #expect([old, new].contains(content), "\(content)")
            #expect(kept.union([content]) == [old, new], "\(content), \(kept)")
            #expect(installation.documentNames == ["p.rtfd"])
            later.close()
        }
    }
}
