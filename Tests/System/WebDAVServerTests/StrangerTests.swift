import DocentTestSupport
import FileProvider
import FoundationEssentials
import Glibc
import Testing

@testable import WebDAV

/// Servers that behave differently from the others: WsgiDAV, copyparty, lighttpd, nginx with dav-ext, and ASGIWebDAV.
@Suite(.needs(.server)) struct StrangerTests {
    @Test(
        "a document is created, read, replaced twice, renamed and deleted",
        arguments: Sample.shared.of(ServerKind.strangers))
    func wholeLife(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a b.txt", "one")
            #expect(try fixture.get("a%20b.txt") == "one")
            #expect(try await WebDAVFixture.list(fixture.provider).first?.version == made.version)
            let changed = try await fixture.modify(made.identifier, from: made.version, "three")
            let again = try await fixture.modify(made.identifier, from: changed.version, "seven")
            #expect(try fixture.get("a%20b.txt") == "seven")
            #expect(
                await code { try await fixture.modify(made.identifier, from: changed.version, "eight") }
                    == .versionOutOfDate)
            let moved = try await fixture.provider.moveItem(
                made.identifier, baseVersion: again.version, to: .rootContainer, named: "c d.txt",
                operation: ChangeOperation(identifier: "move"))
            #expect(try await WebDAVFixture.fetch(fixture.provider, moved.identifier).text == "seven")
            try await fixture.provider.deleteItem(moved.identifier, baseVersion: moved.version, recursive: false)
            #expect(try fixture.names() == [])
        }
    }

    @Test("a name that the server truncates in a destination never replaces another document")
    func cutNames() async throws {
        try await WebDAVFixture.with(.wsgidav) { fixture in
            try fixture.put("precious", at: "report")
            for name in ["report;v2.txt", "report?x", "report\u{202E}w"] {
                let made = try await fixture.create(name, "one")
                _ = try await fixture.modify(made.identifier, from: made.version, "three")
                #expect(try await WebDAVFixture.fetch(fixture.provider, made.identifier).text == "three", "\(name)")
                #expect(try fixture.get("report") == "precious", "\(name)")
            }
            try fixture.put("plain", at: "plain")
            let moved = await code {
                try await fixture.provider.moveItem(
                    ItemIdentifier("/plain"), baseVersion: nil, to: .rootContainer, named: "report;v3",
                    operation: ChangeOperation(identifier: "move"))
            }
            #expect(moved == .invalidArgument)
            #expect(try fixture.get("report") == "precious")
        }
    }

    @Test("in an account whose address the server truncates in a destination, no other document is replaced")
    func cutAddress() async throws {
        try await WebDAVFixture.with(.wsgidav) { fixture in
            // The server takes each destination in "a;b" for this one.
            try fixture.put("precious", at: "a")
            let url = fixture.url + "a%3Bb/"
            let status = try Shell.curl("-X MKCOL", url).status
            try #require(status == 201)
            let account = WebDAVFixture(
                kind: .wsgidav, url: url, storage: fixture.storage, provider: try fixture.another(through: url))
            let made = try await account.create("x.txt", "one")
            _ = try await account.modify(made.identifier, from: made.version, "three")
            #expect(try account.get("x.txt") == "three")
            #expect(try await WebDAVFixture.fetch(account.provider, made.identifier).text == "three")
            let moved = await code {
                try await account.provider.moveItem(
                    made.identifier, baseVersion: nil, to: .rootContainer, named: "y.txt",
                    operation: ChangeOperation(identifier: "move"))
            }
            #expect(moved == .notSupported)
            // Its elements are saved one by one then.
            let package = await code {
                try await account.provider.beginPackage(
                    .new(parent: .rootContainer, filename: "n.rtfd"), elements: [],
                    operation: ChangeOperation(identifier: "package"))
            }
            #expect(package == .notSupported)
            #expect(try fixture.get("a") == "precious")
            try await account.provider.deleteItem(made.identifier, baseVersion: nil, recursive: false)
            #expect(try await WebDAVFixture.list(account.provider).isEmpty)
        }
    }

    @Test(
        "an account whose address has characters that no server cuts is used as any other",
        arguments: ["R%26D", "a%2Bb", "100%25"])
    func harmlessAddress(_ name: String) async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let url = fixture.url + name + "/"
            let status = try Shell.curl("-X MKCOL", url).status
            try #require(status == 201)
            let account = WebDAVFixture(
                kind: .apache, url: url, storage: fixture.storage, provider: try fixture.another(through: url))
            let made = try await account.create("x.txt", "one")
            let changed = try await account.modify(made.identifier, from: made.version, "three")
            let moved = try await account.provider.moveItem(
                made.identifier, baseVersion: changed.version, to: .rootContainer, named: "y.txt",
                operation: ChangeOperation(identifier: "move"))
            #expect(moved.filename == "y.txt")
            #expect(try account.get("y.txt") == "three")
            #expect(try await WebDAVFixture.list(account.provider).map(\.filename) == ["y.txt"])
        }
    }

    @Test(
        "of concurrent saves of the same size on one version, by different processes, one succeeds",
        arguments: Sample.shared.of(ServerKind.strangers + [.seaweedfs]))
    func concurrentSaves(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            try fixture.put("zero", at: "a.txt")
            let read = try await WebDAVFixture.fetch(fixture.provider, ItemIdentifier("/a.txt")).item
            let texts = ["one1", "two2", "tre3", "for4"]
            let ended = try await withThrowingTaskGroup(of: (String, FileProviderError.Code?).self) { group in
                for text in texts {
                    let storage = Shell.temporary("other")
                    let provider = try WebDAVFixture.make(fixture.url, storage)
                    group.addTask {
                        defer { try? FileManager.default.removeItem(atPath: storage) }
                        let operation = UUID().uuidString
                        // Like the queue of uploads: retries if the document is locked, or there is no clear answer.
                        for _ in 0..<100 {
                            let result = await code {
                                try await fixture.modify(
                                    read.identifier, from: read.version, text, with: provider, operation: operation)
                            }
                            guard let result, result != .versionOutOfDate else { return (text, result) }
                            try await Task.sleep(for: .milliseconds(100))
                        }
                        return (text, .failed)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let saved = ended.filter { $0.1 == nil }.map(\.0)
            let there = try fixture.get("a.txt") ?? "nothing"
            #expect(saved.count == 1, "\(ended), and there is: \(there)")
            #expect(ended.allSatisfy { $0.1 == nil || $0.1 == .versionOutOfDate }, "\(ended)")
            #expect(there == saved.first)
        }
    }

    @Test(
        "a foreign change of the same size right after ours is detected, and not replaced",
        arguments: Sample.shared.of(ServerKind.strangers + [.seaweedfs]))
    func foreignChange(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a.txt", "mine")
            // copyparty stores a PUT to a document under another name.
            if kind == .copyparty { _ = try Shell.curl("-X DELETE", fixture.url + "a.txt") }
            try fixture.put("your", at: "a.txt")
            #expect(try await fixture.provider.item(for: made.identifier).version != made.version)
            #expect(
                await code { try await fixture.modify(made.identifier, from: made.version, "more") }
                    == .versionOutOfDate)
            #expect(try fixture.get("a.txt") == "your")
            let read = try await WebDAVFixture.fetch(fixture.provider, made.identifier)
            #expect(read.text == "your")
        }
    }

    @Test(
        "a foreign change right after ours is detected although the server does not say its time",
        arguments: Sample.shared.of([ServerKind.seaweedfs, .nginx, .wsgidav]))
    func withoutTime(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            try await Proxy.with(fixture.url) { proxy in
                try proxy.add(#"{"action": "headers", "times": 0, "headers": {"Date": null}}"#)
                let provider = try fixture.another(through: proxy.url)
                let made = try await fixture.create("a.txt", "mine", with: provider)
                try fixture.put("your", at: "a.txt")
                #expect(try await provider.item(for: made.identifier).version != made.version)
                let saved = await code {
                    try await fixture.modify(made.identifier, from: made.version, "more", with: provider)
                }
                #expect(saved == .versionOutOfDate)
                #expect(try fixture.get("a.txt") == "your")
            }
        }
    }

    @Test(
        "a cut download resumes, with whatever validator the server offers",
        arguments: Sample.shared.of(ServerKind.strangers))
    func resume(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let made = try await fixture.create("a.txt", "0123456789")
            let item = try await WebDAVFixture.fetch(fixture.provider, made.identifier).item
            let rest = try await WebDAVFixture.fetch(fixture.provider, made.identifier, have: "01234", of: item.version)
            #expect(rest.text == "0123456789")
            #expect(rest.beginning == 5)
            if kind != .lighttpd, kind != .wsgidav {
                // The local part is compared if only the date identifies the version.
                let other = try await WebDAVFixture.fetch(
                    fixture.provider, made.identifier, have: "abcde", of: item.version)
                #expect(other.text == "0123456789")
                #expect(other.beginning == 0)
            }
        }
    }

    @Test("an upload that is cut repeatedly leaves nothing behind, even where the server does not list it")
    func cutUploads() async throws {
        let text = String(repeating: "0123456789", count: 100_000)
        // A server of its own, because copyparty's files are what counts: it lists no names that begin with a dot.
        let directory = Shell.temporary("copyparty")
        let output = try TestServers.start(.copyparty, [], in: directory)
        defer {
            _ = try? Shell.run("'\(Repository.servers)/copyparty.sh' kill '\(directory)'; rm -rf '\(directory)'")
        }
        let storage = Shell.temporary("storage")
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let url = try TestServers.field("url", of: output)
        let fixture = WebDAVFixture(
            kind: .copyparty, url: url, storage: storage, provider: try WebDAVFixture.make(url, storage))
        let made = try await fixture.create("a.txt", "one")
        try await Proxy.with(url) { proxy in
            let provider = try fixture.another(through: proxy.url)
            // Its connection is kept.
            #expect(try await WebDAVFixture.fetch(provider, made.identifier).text == "one")
            for _ in 0..<3 {
                // Not the trial of the locks, which is a PUT too. What is cut on a kept connection is sent once more.
                try proxy.add(
                    #"{"action": "cutRequest", "method": "PUT", "path": "docent-upload-op", "after": 300000, "times": 2}"#
                )
                let result = await code {
                    try await fixture.modify(
                        made.identifier, from: made.version, text, with: provider, operation: "op")
                }
                #expect(result == .serverUnreachable)
                try proxy.post("rules/clear")
            }
            let item = try await fixture.modify(
                made.identifier, from: made.version, text, with: provider, operation: "op")
            #expect(item.size == text.utf8.count)
            #expect(try fixture.get("a.txt") == text)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: directory + "/data")
        #expect(files.contains("a.txt"))
        #expect(files.filter { $0.contains("docent-upload") } == [])
    }

    @Test(
        "names that a server would not list are refused beforehand", arguments: Sample.shared.of(ServerKind.strangers))
    func hiddenNames(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let result = await code { try await fixture.create(".hidden", "one") }
            #expect(result == ([.nginx, .copyparty].contains(kind) ? .invalidArgument : nil))
            let listed = try await WebDAVFixture.list(fixture.provider).map(\.filename)
            #expect(listed == (result == nil ? [".hidden"] : []))
        }
    }
}
