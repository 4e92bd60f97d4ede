import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Unfinished packages survive a restart of the daemon, identified by their operation (D3).
@Suite(.needs(.daemon)) struct PackageResumeTests {
    private static let content = ["TXT.rtf": "text", "Assets/1.png": "one", "Assets/2.png": "two"]

    @Test(
        "D3: creating a package continues after kill -9 of the daemon, and is committed",
        arguments: Sample.shared.of([1, 3]))
    func resumes(kills: Int) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("Note.rtfd", Self.content)
            let client = installation.client()
            let package = try await installation.openPackage("Note.rtfd", client: client)
            let session = try await package.begin()
            try await session.write(Data("overwritten".utf8), at: "TXT.rtf")
            try await session.remove(at: "Assets/2.png")
            for number in 0..<kills {
                let daemon = try #require(installation.daemonProcess)
                kill(daemon, SIGKILL)
                try await installation.eventually("it is gone") { installation.daemonProcess != daemon }
                try await session.write(Data("new \(number)".utf8), at: "TXT.rtf")
                try await session.write(Data("\(number)".utf8), at: "more/\(number).txt")
            }
            try await session.keep(elementAt: "Assets/1.png", at: "Assets/renamed.png")
            let daemon = try #require(installation.daemonProcess)
            kill(daemon, SIGKILL)
            try await session.commit()
            var expected = ["TXT.rtf": "new \(kills - 1)", "Assets/1.png": "one", "Assets/renamed.png": "one"]
            for number in 0..<kills { expected["more/\(number).txt"] = "\(number)" }
            #expect(installation.package("Note.rtfd") == expected)
            #expect(try await installation.keptVersions().isEmpty)
            #expect(try await client.outcome(of: session.operation).state == .finished)
            try await installation.eventually("nothing is left: \(installation.leftovers)") {
                installation.leftovers.isEmpty
            }
            client.close()
        }
    }

    @Test("D3: a commit is repeated by the next daemon if the daemon was killed before the commit point")
    func killedInCommit() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.makePackage("Note.rtfd", Self.content)
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: "linked")
            let client = installation.client()
            let package = try await installation.openPackage("Note.rtfd", client: client)
            let session = try await package.begin()
            try await session.write(Data("new".utf8), at: "TXT.rtf")
            // The SDK starts the next daemon, which does not crash.
            try await session.commit()
            try await installation.waitForEnd(of: daemon)
            #expect(installation.package("Note.rtfd")["TXT.rtf"] == "new")
            #expect(try await installation.keptVersions().isEmpty)
            client.close()
        }
    }
}
