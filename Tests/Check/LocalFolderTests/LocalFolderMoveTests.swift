import FileProvider
import Foundation
import LocalFolder
import Testing

@Suite struct LocalFolderMoveTests {
    private func move(
        _ provider: LocalFolderProvider, _ item: FileProviderItem, to parent: ItemIdentifier = .rootContainer,
        named name: String, base: ItemVersion? = nil
    ) async throws -> FileProviderItem {
        try await provider.moveItem(
            item.identifier, baseVersion: base, to: parent, named: name,
            operation: ChangeOperation(identifier: UUID().uuidString))
    }

    @Test("F2: a document that is moved and renamed keeps its identifier and content", arguments: [false, true])
    func keepsIdentifier(restarts: Bool) async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.path + "/folder", withIntermediateDirectories: true)
            try fixture.write("text", to: "old")
            let item = try await fixture.child("old")
            let folder = try await fixture.child("folder")
            let moved = try await move(
                fixture.provider, item, to: folder.identifier, named: "new ü", base: item.version)
            #expect(moved.identifier == item.identifier)
            #expect(moved.parent == folder.identifier)
            #expect(moved.filename == "new ü")
            if restarts { try fixture.restart() }
            #expect(try await fixture.provider.item(for: item.identifier).filename == "new ü")
            #expect(try await fixture.text(item.identifier) == "text")
            #expect(try fixture.names() == ["folder"])
            #expect(try fixture.names("folder") == ["new ü"])
        }
    }

    @Test("F2: moving a folder moves its contents")
    func movesFolders() async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.path + "/a/b", withIntermediateDirectories: true)
            try fixture.write("text", to: "a/b/doc")
            let a = try await fixture.child("a")
            let b = try await fixture.child("b", in: a.identifier)
            let item = try await fixture.child("doc", in: b.identifier)
            let moved = try await move(fixture.provider, b, named: "c")
            #expect(moved.isFolder)
            let found = try await fixture.provider.item(for: item.identifier)
            #expect(found.parent == b.identifier)
            #expect(try await fixture.text(item.identifier) == "text")
            #expect(try fixture.names() == ["a", "c"])
        }
    }

    @Test("A move that is repeated because its answer was lost changes nothing more")
    func isRepeatable() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "old")
            let item = try await fixture.child("old")
            _ = try await move(fixture.provider, item, named: "new", base: item.version)
            try fixture.restart()
            let again = try await move(fixture.provider, item, named: "new", base: item.version)
            #expect(again.identifier == item.identifier)
            #expect(try fixture.names() == ["new"])
        }
    }

    @Test("A move never replaces an item, and never takes a document that has changed since")
    func replacesNothing() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("one", to: "one")
            try fixture.write("two", to: "two")
            let one = try await fixture.child("one")
            let provider = fixture.provider
            let taken = await code { _ = try await move(provider, one, named: "two") }
            #expect(taken == .filenameCollision)
            try fixture.write("changed", to: "one")
            let late = await code { _ = try await move(provider, one, named: "three", base: one.version) }
            #expect(late == .versionOutOfDate)
            #expect(try fixture.read("one") == "changed")
            #expect(try fixture.read("two") == "two")
        }
    }

    @Test(
        "F3: a move leads neither out of the root nor into the moved folder, and accepts no invalid name",
        arguments: ["", ".", "..", "../out", "a/b", ".docent-stage-0123456789abcdef0123456789abcdef"])
    func staysInside(name: String) async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.path + "/a/b", withIntermediateDirectories: true)
            let a = try await fixture.child("a")
            let b = try await fixture.child("b", in: a.identifier)
            let provider = fixture.provider
            let named = await code { _ = try await move(provider, a, named: name) }
            let within = await code { _ = try await move(provider, a, to: b.identifier, named: "x") }
            #expect(named == .invalidArgument)
            #expect(within == .invalidArgument)
            #expect(try fixture.names() == ["a"])
        }
    }
}
