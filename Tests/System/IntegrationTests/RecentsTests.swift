import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// The documents used last and the favourites, with a real provider (K19, K20).
@Suite(.needs(.daemon)) struct RecentsTests {
    private struct Listed: Decodable {
        var name: String
        var path: String?
        var provider: String
        var domain: String
        var client: String?
        var used: String?
        var isRemembered: Bool
    }

    private static let top = "org.docent.LocalFolder:"

    private static func list(_ installation: Installation, _ arguments: String...) async throws -> [Listed] {
        try await installation.run(Installation.binaries + "/docent", arguments + ["--json"]).succeeded()
            .json([Listed].self)
    }

    @Test("K19: the command lists what was used, follows a rename and a kill, removes, clears and stops")
    func command() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["a.txt", "sub/b.txt"] { try installation.write("x", to: name) }
            #expect(try await installation.docent("recents").succeeded().text == "")
            _ = try await installation.docent("open", "LocalFolder:/a.txt", "--client", "org.example.Editor")
                .succeeded()
            _ = try await installation.docent("open", "LocalFolder:/sub/b.txt").succeeded()
            let both = try await Self.list(installation, "recents")
            #expect(both.map(\.path) == ["/sub/b.txt", "/a.txt"])
            #expect(both.map(\.client) == ["org.docent.cli", "org.example.Editor"])
            #expect(both.allSatisfy { $0.used != nil && !$0.isRemembered && $0.domain.isEmpty })
            try await installation.docent("rename", "LocalFolder:/a.txt", "/sub/renamed.txt").succeeded()
            let shown = try await installation.docent("recents", "--client", "org.example.Editor").succeeded()
            #expect(shown.text == "\(Self.top)/sub/renamed.txt\n" && shown.errors.isEmpty)
            if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
            #expect(try await Self.list(installation, "recents").count == 2)
            #expect(
                try await installation.docent("recents", "--remove", "LocalFolder:/sub/b.txt").succeeded().text
                    == "removed: 1\n")
            #expect(try await Self.list(installation, "recents").map(\.name) == ["renamed.txt"])
            #expect(try await installation.docent("recents", "--clear").succeeded().text == "removed: 1\n")
            let off = try await installation.docent("recents", "--off", "--client", "org.example.Editor").succeeded()
            #expect(off.text == "remembered: what all clients use but org.example.Editor\n")
            _ = try await installation.docent("open", "LocalFolder:/sub/b.txt", "--client", "org.example.Editor")
                .succeeded()
            #expect(try await installation.docent("recents").succeeded().text == "")
            let on = try await installation.docent("recents", "--on", "--client", "org.example.Editor").succeeded()
            #expect(on.text == "remembered: what all clients use\n")
        }
    }

    @Test("K20: favourites are listed by command and by program, follow a rename, and lose their mark")
    func favourites() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["a.txt", "sub/b.txt"] { try installation.write("x", to: name) }
            #expect(
                try await installation.docent("star", "LocalFolder:/sub", "LocalFolder:/a.txt").succeeded().text == "")
            try await installation.docent("rename", "LocalFolder:/a.txt", "/c.txt").succeeded()
            #expect(
                try await installation.docent("star").succeeded().text == "\(Self.top)/sub/\n\(Self.top)/c.txt\n")
            let client = installation.client("org.example.picker")
            defer { client.close() }
            let recents = Recents(client: client)
            #expect(try await recents.favourites().map(\.item.name) == ["sub", "c.txt"])
            let shown = try await installation.docent("star", "--remove", "--list", "LocalFolder:/sub").succeeded()
            #expect(shown.text == "\(Self.top)/c.txt\n")
            #expect(try await Self.list(installation, "star").map(\.used) == [nil])
        }
    }

    @Test("K19, K20: a confined client sees only its own uses of what it was granted, and no favourites")
    func confined() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["a.txt", "b.txt"] { try installation.write("x", to: name) }
            _ = try await installation.docent("open", "LocalFolder:/b.txt").succeeded()
            try await installation.docent("star", "LocalFolder:/b.txt").succeeded()
            try await installation.docent(
                "grants", "add", "org.example.Boxed", "LocalFolder:/a.txt", "--kind", "run", "--read-only"
            ).succeeded()
            try await IsolationTests.withConfinedClient(installation, "org.example.Boxed") { client in
                let recents = Recents(client: client)
                #expect(try await recents.documents().isEmpty)
                let granted = try #require(
                    try await client.call(DocumentsInterface.Granted.self, .init()).value.items.first)
                _ = try await client.call(DocumentsInterface.Open.self, .init(reference: granted.reference))
                let own = try await recents.documents()
                #expect(own.map(\.item.name) == ["a.txt"] && own.allSatisfy { $0.item.path == nil && $0.client == nil })
                for body in [
                    { _ = try await recents.documents(of: "org.docent.cli") },
                    { _ = try await recents.forget(nil, of: "org.docent.cli") },
                    { _ = try await recents.favourites() },
                    { _ = try await recents.setFavourite(own[0].item.reference) },
                ] as [() async throws -> Void] {
                    #expect(await IsolationTests.failure(body) == .notPermitted)
                }
                #expect(try await recents.forget(nil) == 1)
            }
            #expect(try await Self.list(installation, "recents").map(\.name) == ["b.txt"])
        }
    }
}
