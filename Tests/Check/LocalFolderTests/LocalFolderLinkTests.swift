import FileProvider
import Foundation
import Glibc
import LocalFolder
import Testing
import UniformTypes

@Suite struct LocalFolderLinkTests {
    /// `folder/doc`, and links to it.
    private static func with(_ body: (inout LocalFolderFixture) async throws -> Void) async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(
                atPath: fixture.path + "/folder/deep", withIntermediateDirectories: true)
            try fixture.write("inside", to: "folder/doc")
            try await body(&fixture)
        }
    }

    private static func link(_ name: String, to target: String, _ fixture: LocalFolderFixture) throws {
        try #require(symlink(target, fixture.path + "/" + name) == 0)
    }

    @Test(
        "2.3: a link to a document or folder beneath the root is an item of its own that names its target",
        arguments: [
            ("folder/doc", "doc"), ("./folder//doc", "doc"), ("folder/deep/../doc", "doc"), ("/ROOT/folder/doc", "doc"),
            ("folder", "folder"), ("folder/", "folder"), ("second", "doc"), ("way/doc", "doc"),
            ("way/deep/..", "folder"),
            ("/ROOT/way/doc", "doc"), ("folder/inner", "doc"),
        ])
    func listed(_ text: String, _ expected: String) async throws {
        try await Self.with { fixture in
            try Self.link("second", to: "folder/doc", fixture)
            try Self.link("way", to: "folder", fixture)
            try Self.link("folder/inner", to: "doc", fixture)
            try Self.link("link", to: text.replacingOccurrences(of: "/ROOT", with: fixture.path), fixture)
            let folder = try await fixture.child("folder")
            let target = try await expected == "folder" ? folder : fixture.child("doc", in: folder.identifier)
            for restarts in [false, true] {
                if restarts { try fixture.restart() }
                let listed = try #require(try await fixture.list().first { $0.filename == "link" })
                let child = try await fixture.child("link")
                let item = try await fixture.provider.item(for: child.identifier)
                for link in [listed, child, item] {
                    #expect(link.symbolicLinkTarget == target.identifier)
                    #expect(link.identifier == listed.identifier && link.identifier != target.identifier)
                    #expect(link.contentType == .symbolicLink && !link.isFolder)
                }
            }
        }
    }

    @Test("2.3: eight links in a row are followed, but not nine")
    func chains() async throws {
        try await Self.with { fixture in
            try Self.link("1", to: "folder/doc", fixture)
            for number in 2...9 { try Self.link("\(number)", to: "\(number - 1)", fixture) }
            #expect(try await fixture.list().map(\.filename) == ["1", "2", "3", "4", "5", "6", "7", "8", "folder"])
        }
    }

    @Test("F3: a link has no content of its own; its target's content is reached through the target")
    func content() async throws {
        try await Self.with { fixture in
            try Self.link("link", to: "folder/doc", fixture)
            let link = try await fixture.child("link")
            let provider = fixture.provider
            #expect(await code { _ = try await provider.openInPlace(link.identifier) } == .notPermitted)
            #expect(await code { _ = try await provider.children(of: link.identifier, page: nil) } == .invalidArgument)
            let contents = try fixture.contents("x")
            #expect(
                await code {
                    _ = try await provider.modifyItem(
                        link.identifier, baseVersion: nil, contents: contents,
                        operation: ChangeOperation(identifier: "o", digest: "d"))
                } == .notPermitted)
            #expect(
                await code {
                    _ = try await provider.createItem(
                        basedOn: ItemTemplate(parent: .rootContainer, filename: "link"), contents: contents,
                        operation: ChangeOperation(identifier: "p"))
                } == .filenameCollision)
            #expect(try await fixture.text(#require(link.symbolicLinkTarget)) == "inside")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: fixture.path + "/link") == "folder/doc")
        }
    }

    @Test("2.3: a link that gets another target becomes a new item; its old target keeps its identifier")
    func turned() async throws {
        try await Self.with { fixture in
            try fixture.write("other", to: "other")
            try Self.link("link", to: "folder/doc", fixture)
            let before = try await fixture.child("link")
            try Self.link("draft", to: "other", fixture)
            try #require(rename(fixture.path + "/draft", fixture.path + "/link") == 0)
            let after = try await fixture.child("link")
            #expect(after.identifier != before.identifier)
            #expect(after.symbolicLinkTarget == (try await fixture.child("other").identifier))
            #expect(try await fixture.text(#require(before.symbolicLinkTarget)) == "inside")
            try FileManager.default.removeItem(atPath: fixture.path + "/other")
            let provider = fixture.provider
            #expect(await code { _ = try await provider.item(for: after.identifier) } == .noSuchItem)
        }
    }

    @Test("2.3: deleting or renaming a link leaves its target; a move that would change the target is refused")
    func managed() async throws {
        try await Self.with { fixture in
            try Self.link("link", to: "folder/doc", fixture)
            try Self.link("absolute", to: fixture.path + "/folder", fixture)
            let link = try await fixture.child("link")
            let folder = try await fixture.child("folder")
            let provider = fixture.provider
            func move(_ item: FileProviderItem, _ parent: ItemIdentifier, _ name: String) async throws
                -> FileProviderItem
            {
                try await provider.moveItem(
                    item.identifier, baseVersion: item.version, to: parent, named: name,
                    operation: ChangeOperation(identifier: name))
            }
            let renamed = try await move(link, .rootContainer, "renamed")
            #expect(renamed.identifier == link.identifier && renamed.symbolicLinkTarget == link.symbolicLinkTarget)
            #expect(await code { _ = try await move(renamed, folder.identifier, "renamed") } == .notSupported)
            let absolute = try await move(fixture.child("absolute"), folder.identifier, "moved")
            #expect(absolute.symbolicLinkTarget == folder.identifier && absolute.parent == folder.identifier)
            for item in [renamed, absolute] {
                try await provider.deleteItem(item.identifier, baseVersion: nil, recursive: true)
            }
            #expect(try fixture.names() == ["folder"])
            #expect(try fixture.names("folder") == ["deep", "doc"])
            #expect(try fixture.read("folder/doc") == "inside")
        }
    }

    @Test("2.3: an ordinary folder distinguishes case, and says so")
    func cases() async throws {
        try await Self.with { fixture in
            try fixture.write("small", to: "a")
            try fixture.write("large", to: "A")
            #expect(try await fixture.child("a").identifier != fixture.child("A").identifier)
            #expect(try await fixture.provider.item(for: .rootContainer).ignoresCase == false)
        }
    }
}
