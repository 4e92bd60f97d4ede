import FileProvider
import Testing

@testable import LocalFolder

/// The records of the trash, as text.
@Suite struct TrashInfoTests {
    private func names(_ texts: String...) -> [LocalName] { texts.compactMap { LocalName($0) } }

    @Test(
        "O15: any path that files can have is read as it was written",
        arguments: [
            [Array("a".utf8)], [Array("a b".utf8), Array("ü%20/".utf8.filter { $0 != 0x2F })],
            [Array("line\nPath=evil".utf8), Array("[Trash Info]".utf8)], [[0xFF, 0xC3, 0x28, 0x01]],
            [Array("...".utf8), Array("..a".utf8), Array(" ".utf8)],
        ])
    func paths(_ bytes: [[UInt8]]) {
        let path = bytes.compactMap { LocalName(bytes: $0) }
        #expect(path.count == bytes.count)
        let written = TrashInfo(path: path, deleted: 1_795_000_000)
        #expect(TrashInfo(written.text) == written)
        #expect(written.text.split(separator: 0x0A).count == 3)
    }

    @Test("O15: a record is read as other programs write it")
    func others() {
        let text =
            "# written by a file manager\n[Trash Info]\r\nPath=a%c3%bc/b\r\nDeletionDate=2026-05-06T07:08:09.123Z\n"
        let info = TrashInfo(text.utf8)
        #expect(info.path == names("aü", "b"))
        #expect(info.deleted != nil)
        let second = TrashInfo(
            "[Trash Info]\nPath=first\nPath=second\n[Other]\nDeletionDate=2026-05-06T07:08:09\n".utf8)
        #expect(second.path == names("first") && second.deleted == nil)
    }

    @Test(
        "O15: what is no record says nothing",
        arguments: [
            "", "Path=a\n", "[Trash Info]\n", "[Other]\nPath=a\n", "[Trash Info]\nPath=\n", "[Trash Info]\nPath=/a\n",
            "[Trash Info]\nPath=a/\n", "[Trash Info]\nPath=..\n", "[Trash Info]\nPath=%2e%2E\n",
            "[Trash Info]\nPath=a%2Fb\n", "[Trash Info]\nPath=a%\n", "[Trash Info]\nPath=%0\n",
        ])
    func nothing(_ text: String) { #expect(TrashInfo(text.utf8).path == nil) }

    @Test(
        "O15: what is no date says nothing",
        arguments: [
            "", "yesterday", "2026-13-01T00:00:00", "2026-00-01T00:00:00", "2026-01-01 00:00:00", "2026-01-01T24:00:00",
        ])
    func dates(_ text: String) {
        #expect(TrashInfo("[Trash Info]\nPath=a\nDeletionDate=\(text)\n".utf8).deleted == nil)
    }

    @Test("O15: a path deeper than any folder is not followed")
    func deep() {
        let text = "[Trash Info]\nPath=" + Array(repeating: "a", count: 300).joined(separator: "/") + "\n"
        #expect(TrashInfo(text.utf8).path == nil)
    }

    @Test("O15: names in the trash leave room for their record, and end between characters")
    func candidates() throws {
        let name = try #require(LocalName(String(repeating: "日", count: 85)))
        for attempt in [1, 2, 9_999] {
            let candidate = TrashFolder.candidate(name, attempt)
            #expect(candidate.bytes.count <= TrashFolder.longestName)
            #expect(String(validating: candidate.bytes, as: UTF8.self) != nil)
        }
        #expect(TrashFolder.candidate(try #require(LocalName("a.txt")), 2) == LocalName("a.2.txt"))
        #expect(TrashFolder.candidate(try #require(LocalName(".hidden")), 3) == LocalName(".hidden.3"))
    }
}
