import DocentTestSupport
import FileProvider
import Testing
import WebDAV

/// Features of Nextcloud, tested with an imitation.
@Suite(.serialized, .needs(.server)) struct NextcloudTests {
    @Test("identifiers survive renames by us and others, and a restart")
    func identifiers() async throws {
        try await WebDAVFixture.with(.nextcloud) { fixture in
            let folder = try await fixture.createFolder("f")
            let made = try await fixture.create("a.txt", "one", in: folder.identifier)
            #expect(made.identifier.rawValue.hasPrefix("id:"))
            #expect(made.parent == folder.identifier)
            let moved = try await fixture.provider.moveItem(
                made.identifier, baseVersion: made.version, to: folder.identifier, named: "b.txt",
                operation: ChangeOperation(identifier: "op"))
            #expect(moved.identifier == made.identifier)
            let changed = try await fixture.modify(made.identifier, from: moved.version, "two")
            #expect(changed.identifier == made.identifier)
            _ = try Shell.curl("-X MOVE -H 'Destination: \(fixture.url)g/'", fixture.url + "f/")
            for provider in [fixture.provider, try fixture.another()] {
                let item = try await provider.item(for: made.identifier)
                #expect(item.filename == "b.txt")
                #expect(item.parent == folder.identifier)
                #expect(try await provider.item(for: folder.identifier).filename == "g")
                #expect(try await WebDAVFixture.fetch(provider, made.identifier).text == "two")
            }
            try await fixture.provider.deleteItem(made.identifier, baseVersion: nil, recursive: false)
            #expect(await code { try await fixture.another().item(for: made.identifier) } == .noSuchItem)
        }
    }

    @Test("a large upload is sent in chunks, and resumes in another process after a cut")
    func chunks() async throws {
        let text = String(repeating: "0123456789", count: 1_000)
        let settings = ["chunkSizeBytes": "3000"]
        try await WebDAVFixture.with(.nextcloud, settings: settings) { fixture in
            let control = fixture.url.split(separator: "/").prefix(2).joined(separator: "//") + "/control/"
            // Twice: libcurl repeats a request once when a kept connection was cut.
            for _ in 1...2 { _ = try Shell.curl("--data-binary 3:docent-chunked", control + "cut") }
            #expect(await code { try await fixture.create("a.txt", text, operation: "chunked") } == .serverUnreachable)
            let item = try await fixture.create("a.txt", text, with: fixture.another(settings), operation: "chunked")
            #expect(item.size == text.utf8.count)
            #expect(try fixture.get("a.txt") == text)
            let pieces = try Shell.curl("", control + "log").body.split(separator: "\n").filter {
                $0.contains("PUT") && $0.contains("docent-chunked")
            }
            // Four chunks, the third twice.
            #expect(pieces.count == 5)
            let changed = try await fixture.modify(item.identifier, from: item.version, text + "more")
            #expect(changed.identifier == item.identifier)
            #expect(try fixture.get("a.txt") == text + "more")
            try fixture.put("theirs", at: "a.txt")
            #expect(
                await code { try await fixture.modify(item.identifier, from: changed.version, text) }
                    == .versionOutOfDate)
            #expect(try fixture.get("a.txt") == "theirs")
        }
    }

    @Test("a lost reply is neither a collision nor a conflict")
    func lostReplies() async throws {
        try await WebDAVFixture.with(.nextcloud) { fixture in
            let control = fixture.url.split(separator: "/").prefix(2).joined(separator: "//") + "/control/"
            let folder = fixture.url.split(separator: "/").last ?? ""
            _ = try Shell.curl("--data-binary 1:\(folder)", control + "cut")
            #expect(await code { try await fixture.create("b.txt", "one", operation: "op1") } == .serverUnreachable)
            let item = try await fixture.create("b.txt", "one", with: fixture.another(), operation: "op1")
            _ = try Shell.curl("--data-binary 1:\(folder)", control + "cut")
            #expect(
                await code { try await fixture.modify(item.identifier, from: item.version, "two", operation: "op2") }
                    == .serverUnreachable)
            let changed = try await fixture.modify(
                item.identifier, from: item.version, "two", with: fixture.another(), operation: "op2")
            #expect(changed.size == 3)
            #expect(try fixture.get("b.txt") == "two")
        }
    }

    @Test("K9: a preview has the size that is asked for and the version that the document has; others have none")
    func previews() async throws {
        try await WebDAVFixture.with(.nextcloud) { fixture in
            let picture = try await fixture.create("a.png", "picture")
            let found = try await fixture.provider.thumbnail(
                of: picture.identifier, version: picture.version, size: 512)
            #expect(found.contentType == "public.png" && found.version == picture.version)
            #expect(found.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(Array(found.data[16..<24]) == [0, 0, 2, 0, 0, 0, 1, 0])
            let photo = try await fixture.create("b.jpg", "photo")
            let second = try await fixture.another().thumbnail(of: photo.identifier, version: nil, size: 128)
            #expect(second.contentType == "public.jpeg" && second.data.count == 9)
            for (name, text) in [("c.txt", "other"), ("d.png", "login")] {
                let item = try await fixture.create(name, text)
                #expect(
                    await code {
                        try await fixture.provider.thumbnail(of: item.identifier, version: item.version, size: 128)
                    } == .notSupported)
            }
        }
        // Other servers have none, and are not asked.
        try await WebDAVFixture.with(.apache) { fixture in
            let item = try await fixture.create("a.png", "picture")
            #expect(
                await code {
                    try await fixture.provider.thumbnail(of: item.identifier, version: item.version, size: 128)
                } == .notSupported)
        }
    }
}
