import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Synchronization
import Testing
import Varlink

/// Finding documents in all accounts, with real providers (K12 to K16).
@Suite(.needs(.daemon)) struct FindTests {
    private struct Found: Decodable {
        var name: String
        var path: String?
        var provider: String
        var domain: String
    }

    private static func find(_ installation: Installation, _ arguments: String...) async throws -> [String] {
        let outcome = try await installation.run(
            Installation.binaries + "/docent", ["find", "--json"] + arguments
        ).succeeded()
        return try outcome.json([Found].self).map { "\($0.provider)@\($0.domain):\($0.path ?? "")" }.sorted()
    }

    @Test("K12: of three accounts, one is offline and one was never listed; the answer has the rest, and says so")
    func truthful() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("x", to: "Reports/plan 2024.txt")
            let papers = installation.home + "/Papers"
            try FileManager.default.createDirectory(atPath: papers, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(filePath: papers + "/plan hidden.txt"))
            try await installation.docent("domains", "add", "LocalFolder", "papers", "--folder", papers).succeeded()
            for point in ["FileProvider", "Picker"] {
                let name = "/org.docent.WebDAV.\(point).plist"
                try FileManager.default.copyItem(
                    atPath: Repository.root + "/manifests" + name, toPath: installation.manifests + name)
            }
            try await installation.docent("provider", "enable", "org.docent.WebDAV", "--yes").succeeded()
            try await installation.docent(
                "domains", "add", "webdav", "gone", "--url", "http://127.0.0.1:9/", "--unchecked"
            ).succeeded()
            try await installation.docent("index", "pause", "LocalFolder@papers").succeeded()
            try await installation.eventually("the answer") {
                let outcome = try await installation.docent("find", "plan").succeeded()
                return outcome.text == "org.docent.LocalFolder:/Reports/plan 2024.txt\n"
                    && outcome.errors.contains("org.docent.LocalFolder@papers")
                    && outcome.errors.contains("org.docent.WebDAV@gone")
                    && !outcome.errors.contains("LocalFolder was searched")
            }
            let nothing = try await installation.docent("find", "--json", "unfindable").succeeded()
            #expect(nothing.text == "[]\n" && nothing.errors.contains("was searched"), "\(nothing)")
            try await installation.docent("index", "start", "LocalFolder@papers").succeeded()
            try await installation.eventually("both") {
                try await Self.find(installation, "plan").count == 2
            }
            let status = try await installation.docent("index", "status", "--json").succeeded()
            #expect(status.text.contains("\"exists\" : true") || status.text.contains("\"exists\": true"))
            // An account that is removed is not found from that moment on.
            try await installation.docent("domains", "remove", "LocalFolder", "papers", "--yes").succeeded()
            #expect(try await Self.find(installation, "plan").count == 1)
        }
    }

    @Test("K13: a confined client finds what it was granted, and no more, however it asks")
    func confined() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["given/plan a.txt", "plan b.txt", "plan c.txt"] { try installation.write("x", to: name) }
            try await installation.eventually("all") { try await Self.find(installation, "plan").count == 3 }
            for path in ["/given", "/plan b.txt"] {
                try await installation.docent(
                    "grants", "add", "org.example.Boxed", "LocalFolder:\(path)", "--kind", "run", "--read-only"
                ).succeeded()
            }
            try await IsolationTests.withConfinedClient(installation, "org.example.Boxed") { client in
                func names(_ query: String) async throws -> [String] {
                    try await client.call(DocumentsInterface.Find.self, .init(query: query)).value.items.map(\.name)
                        .sorted()
                }
                #expect(try await names("plan") == ["plan a.txt", "plan b.txt"])
                let all = try await names("")
                #expect(Set(all).subtracting(["given"]) == ["plan a.txt", "plan b.txt"])
                for query in ["\"plan c\"", "c", "-zzz c", "name:\"plan c\"", "type:public.item c"] {
                    let found = try await names(query)
                    #expect(!found.contains("plan c.txt"), "\(query)")
                }
                let items = try await client.call(DocumentsInterface.Find.self, .init(query: "plan")).value.items
                #expect(items.allSatisfy { $0.path == nil })
                let code = await IsolationTests.failure {
                    _ = try await client.call(
                        DocumentsInterface.Find.self, .init(query: "plan", grantedTo: "org.example.other"))
                }
                #expect(code == .notPermitted)
            }
        }
    }

    @Test("K3, K11, K15: a query follows what others do, survives the death of the daemon, and a damaged index")
    func live() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("x", to: "plan a.txt")
            let client = installation.client("org.example.query")
            defer { client.close() }
            let query = MetadataQuery(client: client, predicate: .words("plan"), sortDescriptors: [.init(.name)])
            query.start()
            defer { query.stop() }
            try await installation.eventually("the first") { query.results.map(\.item.name) == ["plan a.txt"] }
            let source = installation.home + "/plan b.txt"
            try Data("y".utf8).write(to: URL(filePath: source))
            try await installation.docent("export", source, "LocalFolder:/").succeeded()
            try await installation.eventually("the second") { query.count == 2 }
            try await installation.docent("rename", "LocalFolder:/plan b.txt", "/other.txt").succeeded()
            try await installation.eventually("the rename") { query.count == 1 }
            if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
            let index = installation.data + "/search.sqlite"
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index + suffix) }
            try Data(repeating: 0x21, count: 200_000).write(to: URL(filePath: index))
            try await installation.eventually("the index again") {
                try await Self.find(installation, "plan").count == 1 && query.count == 1 && !query.isGathering
            }
            #expect(try await installation.docent("cat", "LocalFolder:/plan a.txt").succeeded().text == "x")
        }
    }
}
