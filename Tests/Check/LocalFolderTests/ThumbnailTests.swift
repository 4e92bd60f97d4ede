import CLinux
import FileProvider
import Foundation
import LocalFolder
import Testing

/// The thumbnails that clients give with their saves (K10).
@Suite struct ThumbnailTests {
    private static let metadata = ItemMetadata(
        modificationDate: Date(timeIntervalSince1970: 1_000_000_000.5), thumbnail: Data("picture".utf8))

    private static func contents(_ text: String, _ metadata: ItemMetadata? = metadata) throws -> ContentReader {
        let descriptor = clinux_memory_file("content", 1)
        try #require(descriptor >= 0)
        let bytes = Array(text.utf8)
        let written = pwrite(descriptor, bytes, bytes.count, 0)
        try #require(written == bytes.count)
        return try ContentReader(owning: descriptor, metadata: metadata)
    }

    private static func picture(_ item: FileProviderItem, _ fixture: LocalFolderFixture) throws -> Data? {
        try item.thumbnail.map { try Data(contentsOf: URL(filePath: fixture.storage + "/" + $0)) }
    }

    private static func pictures(_ fixture: LocalFolderFixture) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: fixture.storage + "/.thumbnails")) ?? []
    }

    private static func create(_ name: String, _ fixture: LocalFolderFixture) async throws -> FileProviderItem {
        try await fixture.provider.createItem(
            basedOn: ItemTemplate(parent: .rootContainer, filename: name, isFolder: false),
            contents: contents("new"), operation: ChangeOperation(identifier: UUID().uuidString, digest: "d"))
    }

    private static func modify(
        _ item: FileProviderItem, _ text: String, _ fixture: LocalFolderFixture, metadata: ItemMetadata? = metadata
    ) async throws -> ModifiedItem {
        try await fixture.provider.modifyItem(
            item.identifier, baseVersion: item.version, contents: contents(text, metadata),
            operation: ChangeOperation(identifier: UUID().uuidString, digest: "d"))
    }

    @Test("K10: the thumbnail of a save is returned with the item, in the reply, later, and after a restart")
    func kept() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("old", to: "a.txt")
            let saved = try await Self.modify(fixture.child("a.txt"), "new", fixture).item
            let made = try await Self.create("b.txt", fixture)
            for item in [saved, made] {
                #expect(try Self.picture(item, fixture) == Self.metadata.thumbnail)
            }
            #expect(try await fixture.list().allSatisfy { $0.thumbnail != nil })
            try fixture.restart()
            for name in ["a.txt", "b.txt"] {
                let item = try await fixture.child(name)
                #expect(try Self.picture(item, fixture) == Self.metadata.thumbnail)
                let picture = try await fixture.provider.thumbnail(of: item.identifier, version: nil, size: 256)
                #expect(Data(picture.data) == Self.metadata.thumbnail && picture.version == item.version)
            }
        }
    }

    @Test(
        "K10: a save without a thumbnail, or by another program, leaves the item without one", arguments: [true, false])
    func gone(isElsewhere: Bool) async throws {
        try await LocalFolderFixture.with { fixture in
            let made = try await Self.create("a.txt", fixture)
            #expect(made.thumbnail != nil)
            if isElsewhere {
                try fixture.write("other", to: "a.txt")
            } else {
                _ = try await Self.modify(made, "other", fixture, metadata: nil)
                #expect(Self.pictures(fixture) == [])
            }
            let item = try await fixture.child("a.txt")
            #expect(item.thumbnail == nil)
            let refused = await code {
                _ = try await fixture.provider.thumbnail(of: item.identifier, version: nil, size: 256)
            }
            #expect(refused == .notSupported)
        }
    }

    @Test("K10: the thumbnails of items that were replaced, deleted or refused are removed")
    func removed() async throws {
        try await LocalFolderFixture.with { fixture in
            var item = try await Self.create("a.txt", fixture)
            item = try await Self.modify(item, "second", fixture).item
            item = try await Self.modify(item, "third", fixture).item
            #expect(Self.pictures(fixture).count == 1)
            #expect(try Self.picture(item, fixture) == Self.metadata.thumbnail)
            let refused = await code { _ = try await Self.create("a.txt", fixture) }
            #expect(refused == .filenameCollision)
            #expect(Self.pictures(fixture).count == 1)
            try await fixture.provider.deleteItem(item.identifier, baseVersion: item.version, recursive: false)
            #expect(Self.pictures(fixture) == [])
        }
    }

    @Test("K10: a package keeps the thumbnail that was given with it until a save without one replaces it")
    func package() async throws {
        try await LocalFolderFixture.with { fixture in
            let replacement = try await fixture.provider.beginPackage(
                .new(parent: .rootContainer, filename: "p.rtfd"),
                elements: [PackageElement(path: "deep/1.txt", isFolder: false, size: 3, digest: "d")],
                operation: ChangeOperation(identifier: UUID().uuidString, digest: "d"))
            try await replacement.stage("deep/1.txt", contents: fixture.contents("one"))
            let made = try await replacement.commit(metadata: Self.metadata).item
            #expect(try Self.picture(made, fixture) == Self.metadata.thumbnail)
            #expect(try await Self.picture(fixture.child("p.rtfd"), fixture) == Self.metadata.thumbnail)
            let result = try await fixture.save(made, ["deep/1.txt": "two"])
            #expect(result.conflict == nil && result.item.thumbnail == nil)
            #expect(Self.pictures(fixture) == [])
        }
    }
}
