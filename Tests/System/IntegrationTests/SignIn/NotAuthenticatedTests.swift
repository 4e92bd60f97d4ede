import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// A password changed on the server during work: one state everywhere, nothing lost, and everything continues after a
/// login.
@Suite(.needs(.daemon, .server, .keyring)) struct NotAuthenticatedTests {
    @Test(
        "a password changed during reads, a download, uploads and listings leads to one state; after a login everything continues automatically"
    )
    func passwordChanged() async throws {
        let large = Installation.content("large", lines: 200_000)
        try await RemoteInstallation.withKeyring { server in
            for name in ["a", "b", "c"] { try await server.put("old", "\(name).txt") }
            try await server.put(large, "large.txt")
        } _: { remote, _ in
            try await remote.login().succeeded()
            for name in ["a", "b"] { #expect(try await remote.read("\(name).txt") == "old") }
            let proxy = try remote.faults()
            // One is being fetched without a waiting client, two are queued to be sent.
            try await proxy.add(.hold(.responseBody, after: 300_000).on("GET", "large").always)
            try await remote.docent("pin", remote.location("large.txt")).succeeded()
            _ = try await proxy.request("the download is on its way") { $0.path.contains("large") }
            try await proxy.add(.hold().on("PUT").always)
            for name in ["a", "b"] { try await remote.write("mine", "\(name).txt").succeeded() }
            _ = try await proxy.request("an upload is on its way") { $0.method == "PUT" }

            try await remote.changePassword(to: RemoteInstallation.nextPassword)
            // Running transfers are cut, and repeated with the old password.
            try await proxy.clearRules()
            try await proxy.cut()
            try await remote.eventually("the domain reports it") {
                try await remote.domain()?.state == "notAuthenticated"
            }
            for arguments in [
                ["cat", remote.location("c.txt")], ["ls", remote.location("")], ["ls", "--json", remote.location("")],
                ["refresh", remote.location("")],
            ] {
                let refused = try await remote.docent(arguments)
                #expect(refused.status == 4 && refused.output.isEmpty, "\(arguments): \(refused)")
                #expect(refused.errors.contains("docent login webdav@work"), "\(refused)")
            }
            #expect(try await remote.read("a.txt") == "mine", "a local copy can be read")
            try await remote.eventually("uploads and download are paused") {
                let transfers = try await remote.transfers()
                return transfers.count == 3 && transfers.allSatisfy { $0.state == "paused" }
            }

            try await remote.login(password: RemoteInstallation.nextPassword).succeeded()
            try await remote.eventually("everything continues automatically") { try await remote.transfers().isEmpty }
            for name in ["a", "b"] { #expect(remote.onServer("\(name).txt") == "mine") }
            #expect(try await remote.info("large.txt").isDownloaded)
            #expect(try await remote.read("large.txt") == large)
            #expect(try await remote.read("c.txt") == "old")
            #expect(try await remote.domain()?.state == "ready")
            #expect(try await remote.versions().isEmpty)
        }
    }

    @Test("the journal survives an exit of the daemon and kill -9 while signed out")
    func journal() async throws {
        try await RemoteInstallation.withKeyring { server in
            for name in ["a", "b"] { try await server.put("old", "\(name).txt") }
        } _: { remote, _ in
            try await remote.login().succeeded()
            for name in ["a", "b"] { #expect(try await remote.read("\(name).txt") == "old") }
            try await remote.changePassword(to: RemoteInstallation.nextPassword)
            try await remote.write("mine", "a.txt").succeeded()
            try await remote.eventually("the domain reports it") {
                try await remote.domain()?.state == "notAuthenticated"
            }
            try await remote.restartDaemon()
            #expect(try await remote.read("a.txt") == "mine")
            try await remote.write("mine", "b.txt").succeeded()
            try await remote.killDaemon()
            #expect(try await remote.read("b.txt") == "mine")
            try await remote.eventually("the next daemon finds out") {
                try await remote.domain()?.state == "notAuthenticated"
            }
            try await remote.login(password: RemoteInstallation.nextPassword).succeeded()
            #expect(try await remote.drain().status == 0)
            for name in ["a", "b"] { #expect(remote.onServer("\(name).txt") == "mine") }
        }
    }
}
