import DocentTestSupport
import Foundation
import Testing

/// Existing, confirmed deleted, unknown: an unreachable document is not a deleted one (law 6, HAZARDS 2 to 4).
@Suite(.needs(.daemon, .server)) struct RemoteAnswerTests {
    /// The failure of a service.
    enum Trouble: String, CaseIterable, CustomTestStringConvertible {
        case notFound, serverError, unavailable, refused, cut, forbidden

        var testDescription: String { rawValue }

        func begin(_ proxy: FaultProxy) async throws {
            switch self {
            case .notFound: try await proxy.add(.status(404).always)
            case .serverError: try await proxy.add(.status(500).always)
            case .unavailable: try await proxy.add(.status(503).always)
            case .refused: try await proxy.refuse()
            case .cut: try await proxy.add(.cutRequest(after: 0).always)
            case .forbidden: try await proxy.add(.status(403).always)
            }
        }
    }

    @Test(
        "a share that answers every request with an error loses nothing: local copies are served, other requests fail",
        arguments: Sample.shared.of(Trouble.allCases))
    func trouble(trouble: Trouble) async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("folder")
            for name in ["here", "there", "edited"] { try await server.put(name, "folder/\(name).txt") }
        } _: { remote in
            let all = ["edited.txt", "here.txt", "there.txt"]
            #expect(try await remote.names("folder") == all)
            #expect(try await remote.read("folder/here.txt") == "here")
            #expect(try await remote.read("folder/edited.txt") == "edited")
            let proxy = try remote.faults()
            try await proxy.add(.hold().on("PUT").always)
            try await remote.write("mine", "folder/edited.txt").succeeded()
            try await trouble.begin(proxy)

            _ = try await remote.docent("refresh", remote.location(""))
            // At least two polls.
            try await remote.eventually("it was checked for changes, or the domain is offline") {
                if try await remote.domain()?.state != "ready" { return true }
                return try await proxy.requests("PROPFIND").count { !$0.rules.isEmpty || ($0.status ?? 0) >= 400 } > 3
            }
            if trouble != .forbidden {
                #expect(try await remote.names("folder") == all)
                #expect(try await remote.read("folder/here.txt") == "here")
            }
            if trouble != .forbidden { #expect(try await remote.read("folder/edited.txt") == "mine") }
            let other = try await remote.docent("cat", remote.location("folder/there.txt"))
            #expect(other.status == (trouble == .forbidden ? 3 : 5), "\(other)")

            try await proxy.reset()
            #expect(try await remote.drain().status == 0 || trouble == .forbidden)
            _ = try await remote.docent("transfers", "retry")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.names("folder") == all)
            #expect(try await remote.read("folder/there.txt") == "there")
            #expect(try await remote.server.text("folder/edited.txt") == "mine")
            #expect(try await remote.versions().isEmpty)
            #expect(try await remote.info("folder/here.txt").isDownloaded)
        }
    }

    @Test(
        "a document that is certainly deleted on the server is removed locally, with its copy",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func confirmedGone(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.makeFolder("folder")
            for name in ["a", "b", "c"] { try await server.put(name, "folder/\(name).txt") }
        } _: { remote in
            #expect(try await remote.names("folder") == ["a.txt", "b.txt", "c.txt"])
            for name in ["a", "b", "c"] { #expect(try await remote.read("folder/\(name).txt") == name) }
            try await remote.server.delete("folder/a.txt")
            let gone = try await remote.docent("cat", remote.location("folder/a.txt"))
            #expect(gone.status == 2, "\(gone)")
            #expect(try await remote.names("folder") == ["b.txt", "c.txt"])
            #expect(remote.localFiles("a.txt").isEmpty)
            // SeaweedFS deletes empty folders only.
            if kind == .seaweedfs { for name in ["b", "c"] { try await remote.server.delete("folder/\(name).txt") } }
            try await remote.server.delete("folder")
            try await remote.eventually("the local folder is gone too") { try await remote.names().isEmpty }
            #expect(try await remote.docent("cat", remote.location("folder/b.txt")).status == 2)
            try await remote.eventually("no copy is left") {
                remote.localFiles("b.txt").isEmpty && remote.localFiles("c.txt").isEmpty
            }
        }
    }

    @Test("HAZARDS 4: a listing that lacks more than half of fifty documents is held until it is accepted")
    func shrunk() async throws {
        let names = (10..<70).map { "\($0).txt" }
        try await RemoteInstallation.with(options: .init(environment: ["DOCENT_POLL_SECONDS": "0"])) { server in
            for name in names { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(server.folder)/\(name)")) }
        } _: { remote in
            #expect(try await remote.names() == names)
            #expect(try await remote.read("10.txt") == "x")
            #expect(try await remote.read("69.txt") == "x")
            for name in names.prefix(40) {
                try FileManager.default.removeItem(atPath: "\(remote.server.folder)/\(name)")
            }
            let refreshed = try await remote.docent("refresh", remote.location(""))
            #expect(refreshed.status == 6, "\(refreshed)")
            #expect(refreshed.errors.contains("--accept"))
            let held = try await remote.names()
            #expect(held == names, "\(held)")
            let listed = try await remote.docent("ls", "--json", remote.location("")).succeeded()
            #expect(listed.errors.contains("from memory, as of 20"), "\(listed.errors)")
            #expect(listed.errors.contains("docent refresh --accept"), "\(listed.errors)")
            let reason = try RemoteInstallation.remembered(listed)?["reason"] as? String
            #expect(reason?.contains("docent refresh --accept") == true, "\(listed.text)")
            #expect(remote.localFiles("10.txt").count == 1)
            // Its documents are checked one by one meanwhile; their absence is not believed either.
            #expect(try await remote.read("10.txt") == "x")
            let accepted = try await remote.docent("refresh", "--accept", remote.location("")).succeeded()
            #expect(accepted.text.contains("deleted: 40"), "\(accepted.text)")
            #expect(try await remote.docent("ls", remote.location("")).succeeded().errors.isEmpty)
            #expect(try await remote.names() == Array(names.dropFirst(40)))
            #expect(remote.localFiles("10.txt").isEmpty)
            #expect(try await remote.read("69.txt") == "x")
            try await remote.docent("refresh", remote.location("")).succeeded()
        }
    }
}
