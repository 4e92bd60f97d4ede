import FileProvider
import Foundation
import Glibc
import LocalFolder
import Testing

@Suite struct LocalFolderNamesTests {
    @Test(
        "every legal name is listed, found, opened and changed",
        arguments: [
            "plain", ".hidden", "..two", "line\nbreak", "tab\tand space", "quote\"'`$(x)", "-rf", "ünïcödé 文書",
            "a\\x41b", "\\xZZ", "%41", ".docent-stage-mine", String(repeating: "n", count: 255),
            String(repeating: "文", count: 85),
        ])
    func handlesName(name: String) async throws {
        try await LocalFolderFixture.with { fixture in
            let created = try await fixture.provider.createItem(
                basedOn: ItemTemplate(parent: .rootContainer, filename: name),
                contents: fixture.contents("text"), operation: ChangeOperation(identifier: "create"))
            #expect(created.filename == name)
            #expect(try await fixture.list() == [created])
            #expect(try await fixture.child(name) == created)
            let item = try await fixture.modify(created, to: "changed").item
            #expect(item.identifier == created.identifier)
            try fixture.restart()
            let text = try await fixture.text(created.identifier)
            #expect(text == "changed")
            try fixture.saveElsewhereRaw("foreign", to: name)
            let after = try await fixture.modify(item, to: "ours")
            #expect(after.conflict != nil)
            #expect(try fixture.names().count == 2)
        }
    }

    @Test("a name that is not UTF-8 is shown with escapes and reached by identifier and by escapes")
    func handlesBytes() async throws {
        try await LocalFolderFixture.with { fixture in
            let bytes: [UInt8] = Array("b\u{e9}".utf8) + [0xFF, 0x80] + Array(".txt".utf8)
            let path = (Array((fixture.path + "/").utf8) + bytes).map(CChar.init(bitPattern:)) + [0]
            let file = open(path, O_WRONLY | O_CREAT, 0o600)
            try #require(file >= 0)
            close(file)
            let items = try await fixture.list()
            #expect(items.map(\.filename) == ["bé\\xFF\\x80.txt"])
            let item = try #require(items.first)
            #expect(try await fixture.child("bé\\xFF\\x80.txt") == item)
            #expect(try await fixture.modify(item, to: "new").item.identifier == item.identifier)
            try fixture.restart()
            let text = try await fixture.text(item.identifier)
            #expect(text == "new")
            unlink(path)
        }
    }

    @Test("Listing: a large folder is listed completely, in order, without duplicates, in pages of bounded size")
    func listsLargeFolder() async throws {
        try await LocalFolderFixture.with { fixture in
            for number in 0..<4_000 {
                let file = open("\(fixture.path)/file \(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                try #require(file >= 0)
                close(file)
            }
            let first = try await fixture.provider.children(of: .rootContainer, page: nil)
            #expect((1_000...5_000).contains(first.items.count))
            let names = try await fixture.list().map(\.filename)
            #expect(names == (0..<4_000).map { "file \($0)" }.sorted())
        }
    }

    @Test("Listing: a page token stays valid when its item has been deleted")
    func goesOnAfterDeletion() async throws {
        try await LocalFolderFixture.with { fixture in
            for number in 1_000..<4_000 {
                close(open("\(fixture.path)/\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
            }
            let first = try await fixture.provider.children(of: .rootContainer, page: nil)
            for item in first.items { unlink("\(fixture.path)/\(item.filename)") }
            var page = first.nextPage
            var names: [String] = []
            while page != nil {
                let next = try await fixture.provider.children(of: .rootContainer, page: page)
                names += next.items.map(\.filename)
                page = next.nextPage
            }
            #expect(names == (1_000 + first.items.count..<4_000).map(String.init))
        }
    }
}

extension LocalFolderFixture {
    /// Like `saveElsewhere`, for names that leave no room for a suffix.
    func saveElsewhereRaw(_ text: String, to name: String) throws {
        try write(text, to: "other program")
        let result = rename(path + "/other program", path + "/" + name)
        try #require(result == 0)
    }
}
