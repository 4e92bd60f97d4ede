import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import Testing
import WebDAV

/// The versions of a Nextcloud, tested with an imitation.
@Suite(.serialized, .needs(.server)) struct NextcloudVersionTests {
    private static func control(_ fixture: WebDAVFixture, _ what: String, _ value: String) throws {
        let address = fixture.url.split(separator: "/").prefix(2).joined(separator: "//") + "/control/" + what
        _ = try Shell.curl("--data-binary \(value)", address)
    }

    private static func content(
        _ version: EarlierVersion, of item: FileProviderItem, _ fixture: WebDAVFixture
    ) async throws -> String {
        let path = NSTemporaryDirectory() + "version-" + UUID().uuidString
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { unlink(path) }
        try await fixture.provider.fetchVersion(
            version.identifier, of: item.identifier, into: ContentWriter(owning: file), progress: TransferProgress())
        return try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    /// A document that was saved three times, a minute apart.
    private static func document(_ fixture: WebDAVFixture) async throws -> FileProviderItem {
        var item = try await fixture.create("a.txt", "one")
        for text in ["second", "3"] {
            try control(fixture, "tick", "60")
            item = try await fixture.modify(item.identifier, from: item.version, text)
        }
        return item
    }

    @Test("earlier versions are listed without the current one, and have their contents, also after a rename")
    func lists() async throws {
        try await WebDAVFixture.with(.nextcloud) { fixture in
            let made = try await Self.document(fixture)
            let item = try await fixture.provider.moveItem(
                made.identifier, baseVersion: nil, to: made.parent, named: "b.txt",
                operation: ChangeOperation(identifier: "op"))
            let page = try await fixture.provider.versions(of: item.identifier, page: nil)
            let versions = page.versions.sorted { ($0.modificationDate ?? 0) < ($1.modificationDate ?? 0) }
            #expect(page.nextPage == nil && versions.map(\.size) == [3, 6])
            #expect(versions.allSatisfy { $0.savedBy == "anna" && $0.version == nil })
            guard versions.count == 2 else { return }
            #expect(try await Self.content(versions[0], of: item, fixture) == "one")
            #expect(try await Self.content(versions[1], of: item, fixture) == "second")
        }
    }

    @Test("a version is restored by the server, unless the document was changed meanwhile")
    func restores() async throws {
        try await WebDAVFixture.with(.nextcloud) { fixture in
            let item = try await Self.document(fixture)
            let first = try #require(
                try await fixture.provider.versions(of: item.identifier, page: nil).versions.first { $0.size == 3 })
            func restore(_ base: ItemVersion?) async throws -> FileProviderItem {
                try await fixture.provider.restoreVersion(
                    first.identifier, of: item.identifier, baseVersion: base,
                    operation: ChangeOperation(identifier: UUID().uuidString))
            }
            #expect(await code { try await restore(ItemVersion(content: "another")) } == .versionOutOfDate)
            #expect(try fixture.get("a.txt") == "3")
            try Self.control(fixture, "tick", "60")
            let restored = try await restore(item.version)
            #expect(restored.identifier == item.identifier && restored.version != item.version && restored.size == 3)
            #expect(try fixture.get("a.txt") == "one")
            let sizes = try await fixture.provider.versions(of: item.identifier, page: nil).versions.map(\.size)
            #expect(sizes.contains(1))
        }
    }

    @Test("a version that the server has thrown away is gone; a server without versions has no history")
    func gone() async throws {
        try await WebDAVFixture.with(.nextcloud) { fixture in
            let item = try await Self.document(fixture)
            let versions = try await fixture.provider.versions(of: item.identifier, page: nil).versions
            try Self.control(fixture, "versions", "thin")
            for version in versions {
                #expect(await code { try await Self.content(version, of: item, fixture) } == .noSuchItem)
            }
            #expect(
                await code {
                    try await fixture.provider.restoreVersion(
                        versions[0].identifier, of: item.identifier, baseVersion: nil,
                        operation: ChangeOperation(identifier: "r"))
                } == .noSuchItem)
            try Self.control(fixture, "versions", "off")
            #expect(
                await code { try await fixture.provider.versions(of: item.identifier, page: nil) } == .notSupported)
            #expect(try fixture.get("a.txt") == "3")
        }
    }
}
