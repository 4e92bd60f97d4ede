import DocentTestSupport
import FileProvider
import Testing
import WebDAV

/// Names that some servers do not preserve, found by `docent provider validate`.
@Suite(.needs(.server)) struct NameTests {
    @Test(
        "a control character in a name is preserved or refused beforehand, and never becomes another name",
        arguments: Sample.shared.of(ServerKind.allCases))
    func controlCharacters(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            var kept: [String] = []
            for name in ["tab\there.txt", "line\nfeed.txt", "return\r.txt"] {
                do {
                    kept.append(try await fixture.create(name, "content").filename)
                } catch let error as FileProviderError {
                    #expect(error.code == .invalidArgument, "\(error)")
                }
            }
            #expect(try await WebDAVFixture.list(fixture.provider).map(\.filename).sorted() == kept.sorted())
            let there = try fixture.names()
            #expect(there.count == kept.count, "another item is there: \(there)")
            #expect(kept.isEmpty == (kind == .rclone), "\(kept)")
            let plain = try await fixture.create("plain.txt", "content")
            let moved = await code {
                try await fixture.provider.moveItem(
                    plain.identifier, baseVersion: plain.version, to: .rootContainer, named: "plain\t.txt",
                    operation: ChangeOperation(identifier: "move"))
            }
            #expect(moved == (kind == .rclone ? .invalidArgument : nil))
        }
    }

    @Test(
        "a name that looks percent-encoded is kept, or refused beforehand where the server decodes it twice",
        arguments: [ServerKind.apache, .asgiwebdav])
    func encodedNames(_ kind: ServerKind) async throws {
        let isRefused = kind == .asgiwebdav
        try await WebDAVFixture.with(kind) { fixture in
            let created = await code { try await fixture.create("a%20b.txt", "one") }
            #expect(created == (isRefused ? .invalidArgument : nil))
            #expect(try fixture.names() == (isRefused ? [] : ["a%2520b.txt"]))
            let plain = try await fixture.create("100%.txt", "one")
            #expect(try await WebDAVFixture.fetch(fixture.provider, plain.identifier).text == "one")
            let moved = await code {
                try await fixture.provider.moveItem(
                    plain.identifier, baseVersion: plain.version, to: .rootContainer, named: "c%20d.txt",
                    operation: ChangeOperation(identifier: "move"))
            }
            #expect(moved == (isRefused ? .invalidArgument : nil))
            #expect(try fixture.names().contains(isRefused ? "100%25.txt" : "c%2520d.txt"))
        }
    }

    @Test(
        "a document has no children, and nothing can be created in it or moved there",
        arguments: Sample.shared.of(ServerKind.allCases)
    )
    func belowDocument(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let document = try await fixture.create("document.txt", "content")
            let other = try await fixture.create("other.txt", "other")
            let below = ItemIdentifier(document.identifier.rawValue + "/x")
            #expect(await code { try await fixture.provider.item(for: below) } == .noSuchItem)
            #expect(await code { try await fixture.create("x", "y", in: document.identifier) } == .invalidArgument)
            let moved = await code {
                try await fixture.provider.moveItem(
                    other.identifier, baseVersion: other.version, to: document.identifier, named: "x",
                    operation: ChangeOperation(identifier: "move"))
            }
            #expect(moved == .invalidArgument)
            #expect(try await WebDAVFixture.fetch(fixture.provider, document.identifier).text == "content")
            #expect(try await WebDAVFixture.fetch(fixture.provider, other.identifier).text == "other")
        }
    }
}
