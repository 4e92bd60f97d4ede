import DocentInterfaces
import DocentTestSupport
import Documents
import Glibc
import Testing
import Varlink

/// The audit log: granted and refused access, the right used, and what caused it (I4).
@Suite(.needs(.daemon)) struct AuditTests {
    struct Line: Decodable {
        var id: Int
        var event: String
        var client: String
        var clientKind: String
        var strength: String
        var identifier: String
        var name: String?
        var access: String
        var detail: String
        var grant: Int?
        var process: Int?
        var executable: String?
        var count: Int
    }

    struct Grant: Decodable {
        var id: Int
        var client: String
        var clientKind: String
        var strength: String
        var access: String
        var isTaken: Bool
        var isFolder: Bool
        var expires: String?
        var used: String?
        var companions: [String]
    }

    struct Why: Decodable {
        var grants: [Grant]
        var lastDownload: Line?
        var sentences: [String]
    }

    static func log(_ installation: Installation, _ arguments: String...) async throws -> [Line] {
        try await installation.run(Installation.binaries + "/docent", ["log", "--json"] + arguments).succeeded()
            .json([Line].self)
    }

    @Test("I4: grants, opens, refusals and revocations are logged with client, strength, right, process and program")
    func events() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let client = installation.client("org.example.editor")
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(at: IsolationTests.location("/a.txt"))
            close(try await document.openForReading())
            try await IsolationTests.withConfinedClient(installation, "org.example.viewer") { confined in
                let stolen = confined.document(document.reference, access: .read)
                #expect(await IsolationTests.failure { close(try await stolen.openForReading()) } == .notPermitted)
            }
            try await installation.docent("revoke", "--client", "org.example.editor", "--yes").succeeded()
            let lines = try await Self.log(installation)
            #expect(lines.map(\.id) == lines.map(\.id).sorted(by: >))
            let granted = try #require(lines.first { $0.event == "granted" })
            #expect(granted.client == "org.example.editor")
            #expect(granted.strength == "stated")
            #expect(granted.access == "readWrite")
            #expect(granted.executable != nil)
            let opened = try #require(lines.first { $0.event == "opened" && $0.client == "org.example.editor" })
            #expect(opened.grant == granted.grant)
            #expect(opened.name == "a.txt")
            #expect(opened.process == Int(getpid()))
            let refused = try #require(lines.first { $0.event == "refused" })
            #expect(refused.client == "org.example.viewer")
            #expect(refused.clientKind == "run")
            #expect(refused.strength == "enforced")
            #expect(refused.identifier == document.reference.identifier)
            #expect(!refused.detail.isEmpty)
            #expect(lines.contains { $0.event == "revoked" && $0.grant == granted.grant })
        }
    }

    @Test("docent log filters by client, document, refusals, time and number")
    func narrowing() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["a.txt", "b.txt"] {
                try installation.write("hello", to: name)
                for client in ["org.example.one", "org.example.two"] {
                    try await installation.docent("cat", "--client", client, "LocalFolder:/\(name)").succeeded()
                }
            }
            let one = try await Self.log(installation, "--client", "org.example.one")
            #expect(!one.isEmpty)
            #expect(one.allSatisfy { $0.client == "org.example.one" })
            let item = try await Self.log(installation, "--item", "LocalFolder:/b.txt")
            #expect(Set(item.map(\.client)) == ["org.example.one", "org.example.two"])
            #expect(item.allSatisfy { $0.name == "b.txt" })
            #expect(try await Self.log(installation, "--refused").isEmpty)
            #expect(try await Self.log(installation, "--limit", "1").count == 1)
            #expect(try await Self.log(installation, "--since", "2h").count >= 4)
            #expect(try await Self.log(installation, "--since", "9999-01-01").isEmpty)
            #expect(try await installation.docent("log", "--since", "yesterday").status == 64)
            #expect(try await installation.docent("log", "--limit", "0").status == 64)
        }
    }

    @Test("docent log --follow prints new entries as they are added, oldest first")
    func follow() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try await installation.docent("cat", "--client", "org.example.one", "LocalFolder:/a.txt").succeeded()
            let administrator = installation.client()
            defer { administrator.close() }
            let replies = try administrator.stream(
                AdministrationInterface.Log.self, .init(client: "org.example.two", limit: 10))
            var events: [String] = []
            for try await reply in replies {
                if events.isEmpty, reply.value.entries.isEmpty {
                    try await installation.docent("cat", "--client", "org.example.two", "LocalFolder:/a.txt")
                        .succeeded()
                }
                events += reply.value.entries.map(\.event)
                if events.contains("opened") { break }
            }
            #expect(events.first == "granted")
            #expect(events.contains("opened"))
        }
    }

    @Test(
        "grants are added, listed with their terms, filtered by kind, age and number, and revoked with the same filters"
    )
    func grants() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["a.txt", "b.txt"] { try installation.write("x", to: name) }
            try await installation.docent(
                "grants", "add", "org.example.one", "LocalFolder:/a.txt", "--for", "2h", "--companions", "{stem}.*",
                "--companions", "*.srt"
            ).succeeded()
            try await installation.docent(
                "grants", "add", "org.example.two", "LocalFolder:/b.txt", "--kind", "flatpak", "--read-only"
            ).succeeded()
            let list = { (arguments: [String]) in
                try await installation.run(Installation.binaries + "/docent", ["grants", "--json"] + arguments)
                    .succeeded()
                    .json([Grant].self)
            }
            let all = try await list([])
            #expect(all.map(\.client) == ["org.example.one", "org.example.two"])
            #expect(all[0].expires != nil)
            #expect(all[0].companions == ["{stem}.*", "*.srt"])
            #expect(all[0].strength == "enforced")
            #expect(all[1].access == "read")
            #expect(all[1].expires == nil)
            #expect(try await list(["--kind", "flatpak"]).map(\.client) == ["org.example.two"])
            #expect(try await list(["--older-than", "1d"]).isEmpty)
            #expect(try await list(["LocalFolder:/a.txt"]).map(\.client) == ["org.example.one"])
            let why = try await installation.docent("why", "LocalFolder:/a.txt").succeeded().text
            #expect(
                why.hasPrefix("org.example.one (docent run, enforced by its sandbox) may read and change it"), "\(why)")
            let none = try await installation.docent("why", "--client", "org.example.x", "LocalFolder:/a.txt")
                .succeeded().text
            #expect(none.hasPrefix("org.example.x has no right"), "\(none)")
            #expect(try await installation.docent("why", "LocalFolder:/nothing").status == 2)
            #expect(
                try await installation.docent("revoke", "--older-than", "1d", "--yes").succeeded().text
                    == "revoked: 0\n")
            #expect(try await list([]).count == 2)
            let revoked = try await installation.docent("revoke", "--id", "\(all[0].id)", "--yes").succeeded()
            #expect(revoked.text == "revoked: 1\n")
            #expect(try await list([]).map(\.client) == ["org.example.two"])
            // No user can be asked: nothing is revoked.
            #expect(try await installation.docent("revoke").status != 0)
            #expect(try await list([]).count == 1)
        }
    }
}
