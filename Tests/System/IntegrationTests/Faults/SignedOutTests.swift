import DocentTestSupport
import Foundation
import Testing

/// A service that refuses the credentials during a transfer: nothing is lost, and nothing fails permanently.
@Suite(.needs(.daemon, .server)) struct SignedOutTests {
    private struct Domain: Decodable {
        var identifier: String
        var state: String?
    }

    private static func state(_ remote: RemoteInstallation) async throws -> String? {
        let domains = try await remote.docent("domains", "--json").succeeded().json([Domain].self)
        return domains.first { $0.identifier == RemoteInstallation.domain }?.state
    }

    @Test(
        "a 401 during a save pauses the save; the content is readable locally, and is sent once the server accepts the credentials",
        arguments: ["PUT", "LOCK", "MOVE"])
    func saving(method: String) async throws {
        try await RemoteInstallation.with(.apache) { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            #expect(try await remote.read("a.txt") == "old")
            try await proxy.add(.status(401).on(method).always)
            try await remote.write("new", "a.txt").succeeded()
            try await remote.installation.eventually("the domain says that it is not signed in", within: 60) {
                try await Self.state(remote) == "notAuthenticated"
            }
            #expect(try await remote.server.text("a.txt") == "old")
            let refused = try await remote.docent("daemon", "stop")
            #expect(refused.status == 6, "\(refused.errors)")

            try await proxy.clearRules()
            try await remote.docent("transfers", "retry").succeeded()
            let drained = try await remote.drain()
            #expect(drained.status == 0, "\(drained.errors)")
            #expect(try await remote.server.text("a.txt") == "new")
            #expect(try await remote.server.list() == ["a.txt"])
        }
    }

    @Test(
        "a reader gets a 401 reported at once, with exit code 4, and can read when the server accepts the credentials")
    func reading() async throws {
        try await RemoteInstallation.with(.apache) { server in
            try await server.put("content", "a.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            try await remote.docent("ls", remote.location("")).succeeded()
            try await proxy.add(.status(401).on("GET").always)
            let refused = try await remote.docent("cat", remote.location("a.txt"))
            #expect(refused.status == 4, "\(refused.errors)")
            #expect(refused.errors.contains("docent login webdav@work"), "\(refused.errors)")
            try await proxy.clearRules()
            _ = try await remote.docent("transfers", "retry")
            try await remote.installation.eventually("it can be read", within: 60) {
                try await remote.docent("cat", remote.location("a.txt")).text == "content"
            }
        }
    }
}
