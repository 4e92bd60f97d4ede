import CommandConsole
import DesktopNotices
import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

@testable import DocentCommands

@Suite struct VersionTextTests {
    private static let versions = [
        Samples.fileVersion("current", reason: nil, savedBy: "org.example.Editor"),
        Samples.fileVersion("b3F2A91C0-0001"), Samples.fileVersion("b3F2A91C0-0002", modificationDate: nil),
        Samples.fileVersion("77D01EE5", reason: "conflict", isConflict: true, isResolved: true),
    ]

    @Test("A version is named by its identifier or enough of its beginning")
    func names() throws {
        func find(_ text: String) throws -> String {
            try VersionName.parse(text).find(in: Self.versions).persistentIdentifier
        }
        #expect(try find("current") == "current")
        #expect(try find("77D0") == "77D01EE5" && find("77d01ee5") == "77D01EE5")
        #expect(try find("b3F2A91C0-0002") == "b3F2A91C0-0002")
        let several = #expect(throws: DocumentsError.self) { try find("b3F2") }
        #expect(several?.code == .invalidArgument)
        for absent in ["cur", "curr", "none", "b3F2A91C0-00021"] {
            #expect(throws: (any Error).self) { try find(absent) }
        }
        let short = VersionName.short(Self.versions)
        #expect(short["77D01EE5"] == "77D01EE5" && short["b3F2A91C0-0001"] == "b3F2A91C0-0001")
    }

    @Test("`docent history` shows who saved a version where, and which conflicts are settled")
    func table() {
        let lines = VersionText.table(Self.versions).text.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[1].contains("current") && lines[1].contains("org.example.Editor on desk"))
        #expect(lines[2].contains("1970-01-01T00:00:01Z") && lines[2].contains("superseded"))
        #expect(lines[4].contains("conflict (settled)"))
    }

    @Test("JSON has the keys that scripts rely on")
    func json() {
        let text = JSONValue(historyOf: Self.versions[3]).compact
        for part in [
            "\"version\": \"77D01EE5\"", "\"isCurrent\": false", "\"isConflict\": true", "\"isResolved\": true",
            "\"size\": 1500", "\"modificationDate\": \"1970-01-01T00:00:01Z\"", "\"savedBy\": null",
            "\"hasLocalContents\": true", "\"isPackage\": false",
        ] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test(
        "A version that becomes a document of its own has a name that sorts beside the other one",
        arguments: [
            ("plan.txt", 1, "plan (version of 1970-01-01 00.00.01).txt"),
            ("plan", 2, "plan (version of 1970-01-01 00.00.01, 2)"),
            (".profile", 1, ".profile (version of 1970-01-01 00.00.01)"),
        ])
    func copies(name: String, number: Int, result: String) {
        #expect(VersionText.copyName(of: name, Self.versions[1], number: number) == result)
    }

    @Test("V6: the note about a conflict names the document safely, and says what to do")
    func notes() {
        let one = SaveOutcome.text(1, "W:/a.txt", isLocation: true)
        #expect(one.contains("kept as a version") && one.contains("docent resolve W:/a.txt --keep mine|theirs|both"))
        #expect(SaveOutcome.text(2, "a.txt", isLocation: false).contains("docent conflicts"))
        let table = VersionText.title(Samples.fileVersion("b1", name: "a\u{1B}[2J"))
        #expect(!table.contains("\u{1B}"))
    }

    @Test("`docent conflicts` groups versions by their documents, the newest first")
    func groups() {
        var (first, second, other) = (Samples.version, Samples.version, Samples.version)
        first.identifier = "1"
        second.identifier = "2"
        second.path = "/plan.txt"
        other.reference.identifier = "id-2"
        let groups = ConflictedDocument.group([first, other, second])
        #expect(groups.map(\.reference.identifier) == ["id-1", "id-2"])
        #expect(groups[0].versions.map(\.identifier) == ["2", "1"] && groups[1].location == nil)
        #expect(groups[0].location?.description == "org.example.Cloud@work:/plan.txt")
        let table = ConflictsCommand.table(groups).text
        #expect(table.split(separator: "\n").count == 4)
    }

    @Test(
        "`docent versions keep` understands sizes as people write them",
        arguments: [("2G", 2_000_000_000), ("2GB", 2_000_000_000), ("512 MiB", 512 << 20), ("0", 0)])
    func sizes(text: String, bytes: Int) throws {
        #expect(try VersionsKeepCommand.size(text) == bytes)
    }

    @Test("Text is told from other content by its beginning")
    func text() throws {
        func file(_ bytes: [UInt8]) throws -> CInt {
            var template = Array("\(NSTemporaryDirectory())/docent-text-XXXXXX".utf8CString)
            let file = mkstemp(&template)
            unlink(template)
            try #require(write(file, bytes, bytes.count) == bytes.count)
            return file
        }
        let umlauts = Array(String(repeating: "ä", count: 40_000).utf8)
        for (bytes, isText) in [
            (Array("one\ntwo\n".utf8), true), ([], true), (umlauts, true), ([UInt8(ascii: "a")] + umlauts, true),
            ([0, 1, 2], false), ([0xFF, 0xFE, 0x41], false),
        ] {
            let (one, other) = (try file(bytes), try file(bytes + [1]))
            defer {
                close(one)
                close(other)
            }
            #expect(try ContentComparison.isText(one) == isText, "\(bytes.prefix(3))")
            #expect(try ContentComparison.isSame(one, one) && !ContentComparison.isSame(one, other))
        }
    }

    @Test("The elements of two versions of a package are compared by their paths")
    func packages() {
        func element(_ path: String, isFolder: Bool = false) -> PackageElement {
            PackageElement(path: path, isFolder: isFolder, size: isFolder ? nil : 5)
        }
        let pairs = PackageComparison.pairs(
            [element("a"), element("b", isFolder: true), element("b/c")], [element("a"), element("d")])
        #expect(pairs.map(\.path) == ["a", "b", "b/c", "d"])
        #expect(pairs.map { $0.old == nil } == [false, false, false, true])
        #expect(pairs.map { $0.new == nil } == [false, true, true, false])
        let table = PackageComparison.table([
            .init(kind: .changed, path: "a\u{1B}[2J", old: 5, new: 1500),
            .init(kind: .added, path: "d", old: nil, new: 5),
        ]).text
        #expect(table.split(separator: "\n").count == 3 && !table.contains("\u{1B}"))
        #expect(table.contains("changed") && table.contains("1.5 kB"))
    }
}
