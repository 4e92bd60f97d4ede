import FileProvider
import Foundation
import Glibc
import Testing

@testable import LocalFolder

/// The identifier of a new file in an old place, when the two sides that may give it one meet in the bad order.
@Suite struct LocalFolderSuccessionTests {
    /// What a concurrent listing, or the answer to a change, read before the file was removed and records only now.
    private struct Late {
        let identity: LocalFileIdentity
        let place: PlaceIndex.Place
        // As long as it is open, no other file gets its number.
        private let file: FileHandle

        init(_ name: String, _ fixture: LocalFolderFixture) throws {
            let root = try fixture.provider.tree.root()
            file = try #require(FileHandle(forReadingAtPath: fixture.path + "/" + name))
            let name = try #require(LocalName(name))
            identity = LocalFileIdentity(try root.directory.facts(of: name), rootDevice: root.device)
            place = .init(folder: root.identity, name: name)
        }

        func record(_ fixture: LocalFolderFixture) { fixture.provider.tree.index.record(identity, at: place) }
    }

    /// Who gives the new file an identifier.
    enum Rival: CaseIterable, Sendable {
        /// The watcher, which sees a file come to a name.
        case watcher
        /// A search for the document that had the name.
        case search
    }

    @Test("A document made where one was deleted keeps the identifier that it is made with", arguments: Rival.allCases)
    func keepsTheIdentifierOfANewDocument(rival: Rival) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("old", to: "doc")
            let old = try await fixture.child("doc")
            let late = try Late("doc", fixture)
            try await fixture.provider.deleteItem(old.identifier, baseVersion: old.version, recursive: false)
            late.record(fixture)
            // What createItem does, up to the moment when the file has its name.
            let tree = fixture.provider.tree
            let root = try tree.root()
            let staged = try LocalFileReplacement(
                new: late.place.name, in: root.directory, contents: fixture.contents("new"), operation: "one")
            let identity = LocalFileIdentity(staged.facts, rootDevice: root.device)
            try tree.log.note(ChangeOperation(identifier: "one", digest: nil), identity, isDone: false)
            _ = try staged.create()
            await compete(rival, for: old.identifier, late, fixture)
            let new = try await fixture.child("doc")
            #expect(new.identifier.rawValue == identity.text)
            #expect(try await fixture.text(new.identifier) == "new")
            #expect(await code { _ = try await fixture.provider.item(for: old.identifier) } == .noSuchItem)
        }
    }

    @Test("A document made where one was removed elsewhere keeps its identifier too", arguments: Rival.allCases)
    func keepsTheIdentifierOfANewDocumentInAVacantPlace(rival: Rival) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("old", to: "doc")
            let old = try await fixture.child("doc")
            let late = try Late("doc", fixture)
            try FileManager.default.removeItem(atPath: fixture.path + "/doc")
            late.record(fixture)
            let tree = fixture.provider.tree
            let root = try tree.root()
            let staged = try LocalFileReplacement(
                new: late.place.name, in: root.directory, contents: fixture.contents("new"), operation: "one")
            let identity = LocalFileIdentity(staged.facts, rootDevice: root.device)
            try tree.log.note(ChangeOperation(identifier: "one", digest: nil), identity, isDone: false)
            _ = try staged.create()
            await compete(rival, for: old.identifier, late, fixture)
            let new = try await fixture.child("doc")
            #expect(new.identifier.rawValue == identity.text)
        }
    }

    @Test(
        "What another program puts where a document was deleted through Docent is another document",
        arguments: Rival.allCases, [0, 1, 2])
    func doesNotInheritFromADeletedDocument(rival: Rival, saves: Int) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("old", to: "doc")
            var old = try await fixture.child("doc")
            for round in 0..<saves { old = try await fixture.modify(old, to: "\(round)").item }
            let late = try Late("doc", fixture)
            try await fixture.provider.deleteItem(old.identifier, baseVersion: old.version, recursive: false)
            late.record(fixture)
            try fixture.saveElsewhere("new", to: "doc")
            await compete(rival, for: old.identifier, late, fixture)
            let new = try await fixture.child("doc")
            let root = try fixture.provider.tree.root()
            let identity = LocalFileIdentity(
                try root.directory.facts(of: late.place.name), rootDevice: root.device)
            #expect(new.identifier != old.identifier)
            #expect(new.identifier.rawValue == identity.text)
        }
    }

    @Test("A document that another program replaces by a rename keeps its identifier", arguments: Rival.allCases)
    func inheritsFromAReplacedDocument(rival: Rival) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("old", to: "doc")
            let old = try await fixture.child("doc")
            let late = try Late("doc", fixture)
            try fixture.saveElsewhere("new", to: "doc")
            await compete(rival, for: old.identifier, late, fixture)
            #expect(try await fixture.child("doc").identifier == old.identifier)
        }
    }

    @Test("A document that another program replaces keeps its identifier for whoever looks at once")
    func inheritsBeforeTheWatcherHasReported() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("0", to: "doc")
            let first = try #require(try await fixture.list().first)
            for round in 1...50 {
                try fixture.saveElsewhere("\(round)", to: "doc")
                let now = try await fixture.child("doc")
                #expect(now.identifier == first.identifier)
                #expect(try await fixture.text(now.identifier) == "\(round)")
            }
        }
    }

    @Test("A kept copy that is deleted takes nothing from the document that it was displaced from")
    func deletingAKeptCopyLeavesTheDocument() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("base", to: "doc")
            let base = try await fixture.child("doc")
            try fixture.saveElsewhere("theirs", to: "doc")
            let result = try await fixture.modify(base, to: "ours")
            let conflict = try #require(result.conflict)
            try await fixture.provider.deleteItem(conflict, baseVersion: nil, recursive: false)
            let late = try Late("doc", fixture)
            try fixture.saveElsewhere("more", to: "doc")
            await compete(.search, for: base.identifier, late, fixture)
            #expect(try await fixture.child("doc").identifier == base.identifier)
            #expect(try await fixture.text(base.identifier) == "more")
        }
    }

    private func compete(
        _ rival: Rival, for identifier: ItemIdentifier, _ late: Late, _ fixture: LocalFolderFixture
    ) async {
        switch rival {
        case .watcher:
            let provider = fixture.provider
            let notes = ChangeNotes(tree: provider.tree, news: PacedNews(provider.host), observer: provider.observer)
            notes.tell(
                .events([.init(folder: late.place.folder, name: late.place.name, mask: UInt32(IN_MOVED_TO))]))
        case .search:
            _ = try? await fixture.provider.item(for: identifier)
        }
    }
}
