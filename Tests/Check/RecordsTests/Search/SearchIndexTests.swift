import Foundation
import GRDB
import HostTesting
import Records
import Rights
import Testing

/// The index of names, types, times, sizes and states (K2, K4).
@Suite(.timeLimit(.minutes(5))) struct SearchIndexTests {
    static let account = SearchAccount.Identity(provider: "org.docent.test", domain: "work")
    static let scope = SearchScope(accounts: [account]) { type, wanted in type == wanted || wanted == "public.item" }
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    static func with(_ body: (SearchIndex, String) async throws -> Void) async throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndex.open(directory: folder.path).index
        try await body(index, folder.path)
        try index.close()
    }

    static func item(
        _ identifier: String, _ name: String, in parent: String = ".root", type: String = "public.data",
        size: Int64? = 10, modified: Double? = 1_600_000_000, isFolder: Bool = false, isDownloaded: Bool = false,
        account: SearchAccount.Identity = account
    ) -> IndexedItem {
        IndexedItem(
            key: account.top.sibling(identifier), parent: parent, name: name, contentType: type, size: size,
            modified: modified, isFolder: isFolder, isDownloaded: isDownloaded)
    }

    static func add(_ items: [IndexedItem], to index: SearchIndex) async throws {
        for start in stride(from: 0, to: items.count, by: 1000) {
            try await index.apply(items[start..<min(start + 1000, items.count)].map { .known($0) })
        }
    }

    static func names(
        _ index: SearchIndex, _ text: String, in scope: SearchScope = scope, limit: Int = 100
    ) async throws -> [String] {
        let parsed = SearchQueryParser.parse(text, now: now)
        try #require(parsed.problems.isEmpty)
        return try await index.find(parsed.query, in: scope, limit: limit, now: now).hits.map(\.item.name)
    }

    @Test("K2: parts of words, beginnings, phrases, exclusions and short words are found among ten thousand names")
    func finds() async throws {
        try await Self.with { index, _ in
            var items = (0..<10_000).map {
                Self.item("f\($0)", "filler document number \($0 * 7919 % 10_000).txt")
            }
            let names = [
                "Müller Rechnung 2024.pdf", "東京都の写真.jpg", "税.txt", "a.txt", "go.mod", "Überraschung.odt", "résumé.doc",
                "한국어 문서.hwp", "100% \"quoted\" OR NOT.md", "word'; DROP TABLE word;--.txt", "Отчёт.docx", "x+y.csv",
            ]
            items += names.enumerated().map { Self.item("n\($0.offset)", $0.element) }
            try await Self.add(items, to: index)
            let expected: [(String, String)] = [
                ("rechnung", names[0]), ("muller 24", names[0]), ("MÜLLER", names[0]), ("chnun", names[0]),
                ("写真", names[1]), ("京都", names[1]), ("東", names[1]), ("税", names[2]), ("go mod", names[4]),
                ("uber", names[5]), ("resume", names[6]), ("문서", names[7]), ("\"quoted or\"", names[8]),
                ("drop table", names[9]), ("отчет", names[10]), ("x+y", names[11]), ("\"rechnung 2024\"", names[0]),
            ]
            for (text, name) in expected {
                #expect(try await Self.names(index, text).first == name, "\(text)")
            }
            #expect(try await Self.names(index, "name:a", limit: 1) == ["a.txt"])
            #expect(try await Self.names(index, "rechnung -muller").isEmpty)
            #expect(try await Self.names(index, "\"2024 rechnung\"").isEmpty)
            #expect(try await Self.names(index, "number 9999").first == "filler document number 9999.txt")
            #expect(try await Self.names(index, "filler", limit: 20).count == 20)
        }
    }

    @Test(
        "K2: what has a meaning for the index of words has none in a query",
        arguments: [
            "\"", "*", "a*", "NEAR(a b)", "a AND b", "a OR b", "NOT a", "text:a", "^abc", "{a b}:c", "a'b", "(((", ")",
            "abc\" OR \"def", "rowid", "+", "\u{2}\u{2}\u{2}", "%", "_", "\\", "-- ;", "name:\"\"", "京*", "\u{10FFFF}",
        ])
    func hostile(text: String) async throws {
        try await Self.with { index, _ in
            try await Self.add([Self.item("1", "unrelated"), Self.item("2", text)], to: index)
            let query = SearchQueryParser.parse("\"" + text.replacing("\"", with: "\\\"") + "\"", now: Self.now).query
            let found = try await index.find(query, in: Self.scope, limit: 10, now: Self.now).hits.map(\.item.name)
            if !query.wanted.isEmpty { #expect(!found.contains("unrelated")) }
            #expect(found.contains(text) || query.wanted.isEmpty || query.isEmpty, "\(found)")
        }
    }

    @Test("types, times, sizes and states narrow a search, and without words the newest come first")
    func conditions() async throws {
        try await Self.with { index, _ in
            try await Self.add(
                [
                    Self.item("1", "old", modified: 1e9), Self.item("2", "new", modified: 1.6e9),
                    Self.item("3", "undated", size: nil, modified: nil),
                    Self.item("4", "image", type: "public.png", size: 5_000_000, isDownloaded: true),
                    Self.item("5", "folder", type: "public.folder", size: nil, isFolder: true),
                ], to: index)
            #expect(try await Self.names(index, "newer:2015").sorted() == ["folder", "image", "new"])
            #expect(try await Self.names(index, "older:2015") == ["old"])
            #expect(try await Self.names(index, "larger:1MB") == ["image"])
            #expect(try await Self.names(index, "smaller:10").sorted() == ["new", "old"])
            #expect(try await Self.names(index, "type:public.png") == ["image"])
            #expect(try await Self.names(index, "type:public.item").count == 5)
            #expect(try await Self.names(index, "type:public.unheard").isEmpty)
            #expect(try await Self.names(index, "state:downloaded") == ["image"])
            #expect(try await Self.names(index, "state:cloud").sorted() == ["new", "old", "undated"])
            #expect(try await Self.names(index, "").last == "undated")
        }
    }

    @Test("a word may be in the name of a folder, and paths are complete or missing")
    func folders() async throws {
        try await Self.with { index, _ in
            try await Self.add(
                [
                    Self.item("d", "Taxes 2024", isFolder: true), Self.item("e", "Letters", in: "d", isFolder: true),
                    Self.item("1", "invoice.pdf", in: "e"), Self.item("2", "invoice.pdf"),
                    Self.item("3", "orphan invoice", in: "nowhere"),
                ], to: index)
            let query = SearchQueryParser.parse("taxes invoice", now: Self.now).query
            let hits = try await index.find(query, in: Self.scope, limit: 10, now: Self.now).hits
            #expect(hits.map(\.path) == ["/Taxes 2024/Letters/invoice.pdf"])
            #expect(try await Self.names(index, "taxes letters").sorted() == ["Letters"])
            #expect(try await Self.names(index, "name:taxes invoice").isEmpty)
            let orphans = try await index.find(
                SearchQueryParser.parse("orphan", now: Self.now).query, in: Self.scope, limit: 10, now: Self.now)
            #expect(orphans.hits.map(\.path) == [nil])
        }
    }

    @Test("only what was granted, and what lies in it, is found; folders around it are not compared")
    func granted() async throws {
        try await Self.with { index, _ in
            try await Self.add(
                [
                    Self.item("d", "secret folder", isFolder: true), Self.item("s", "inner", in: "d", isFolder: true),
                    Self.item("1", "plan one", in: "s"), Self.item("2", "plan two", in: "d"),
                    Self.item("3", "plan three"),
                ], to: index)
            var scope = Self.scope
            scope.granted = [Self.account.top.sibling("s"), Self.account.top.sibling("3")]
            #expect(try await Self.names(index, "plan", in: scope).sorted() == ["plan one", "plan three"])
            #expect(try await Self.names(index, "", in: scope).sorted() == ["inner", "plan one", "plan three"])
            #expect(try await Self.names(index, "secret plan", in: scope).isEmpty)
            scope.granted = []
            #expect(try await Self.names(index, "plan", in: scope).isEmpty)
            let keys = ["1", "2", "3", "gone"].map { Self.account.top.sibling($0) }
            scope.granted = [Self.account.top.sibling("s")]
            let matched = try await index.match(keys, SearchQuery(), in: scope, now: Self.now)
            #expect(matched.map(\.item.name) == ["plan one"])
        }
    }

    @Test("other accounts, and what lies outside of the folders of a search, are not found")
    func scopes() async throws {
        try await Self.with { index, _ in
            let other = SearchAccount.Identity(provider: "org.docent.test", domain: "home")
            try await Self.add(
                [
                    Self.item("d", "inside", isFolder: true), Self.item("1", "plan a", in: "d"),
                    Self.item("2", "plan b"), Self.item("1", "plan c", account: other),
                ], to: index)
            #expect(try await Self.names(index, "plan").sorted() == ["plan a", "plan b"])
            var scope = Self.scope
            scope.folders = [Self.account.top.sibling("d")]
            #expect(try await Self.names(index, "plan", in: scope) == ["plan a"])
            #expect(try await Self.names(index, "", in: scope) == ["plan a"])
            scope.accounts = []
            #expect(try await Self.names(index, "plan", in: scope).isEmpty)
        }
    }

    @Test("renames, moves and deletions are followed; a folder takes what is in it along; cycles end")
    func changes() async throws {
        try await Self.with { index, _ in
            try await Self.add(
                [
                    Self.item("d", "dir", isFolder: true), Self.item("1", "first", in: "d"),
                    Self.item("a", "loop a", in: "b", isFolder: true),
                    Self.item("b", "loop b", in: "a", isFolder: true),
                    Self.item("me", "own parent", in: "me", isFolder: true), Self.item("2", "loop item", in: "a"),
                ], to: index)
            #expect(try await index.apply([.known(Self.item("1", "first", in: "d"))]).isEmpty)
            #expect(try await index.apply([.known(Self.item("1", "second", in: "d"))]).count == 1)
            #expect(try await Self.names(index, "first").isEmpty)
            #expect(try await Self.names(index, "second") == ["second"])
            #expect(try await Self.names(index, "loop").count == 3)
            #expect(try await index.apply([.gone(Self.account.top.sibling("d"))]).count == 2)
            #expect(try await Self.names(index, "second").isEmpty)
            #expect(try await index.apply([.gone(Self.account.top.sibling("a"))]).count == 3)
            #expect(try await Self.names(index, "loop").isEmpty)
            try await Self.add([Self.item("x\u{0}y", "nul"), Self.item("z", "n\u{0}l")], to: index)
            #expect(try await Self.names(index, "nul").isEmpty)
            let left = try await index.removeOthers(than: [], in: Self.account.top)
            #expect(left.count >= 0)
        }
    }

    @Test("identifiers that only look alike are different items")
    func bytewise() async throws {
        try await Self.with { index, _ in
            try await Self.add([Self.item("\u{E9}", "one"), Self.item("e\u{301}", "two")], to: index)
            #expect(try await Self.names(index, "").sorted() == ["one", "two"])
        }
    }

    @Test("a damaged file, and one of another version, is set aside and made again", arguments: [true, false])
    func damaged(isGarbage: Bool) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/" + SearchIndex.fileName
        let first = try SearchIndex.open(directory: folder.path)
        #expect(!first.isRebuilt && first.index.needsComparison)
        try await Self.add([Self.item("1", "kept")], to: first.index)
        try first.index.close()
        let second = try SearchIndex.open(directory: folder.path)
        #expect(!second.isRebuilt && !second.index.needsComparison)
        #expect(try await Self.names(second.index, "kept") == ["kept"])
        try second.index.close(isComplete: false)
        if isGarbage {
            try Data(repeating: 0x21, count: 50_000).write(to: URL(filePath: path))
        } else {
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99") }
            try queue.close()
        }
        let third = try SearchIndex.open(directory: folder.path)
        #expect(third.isRebuilt && third.index.needsComparison)
        #expect(try await Self.names(third.index, "kept").isEmpty)
        #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
        try await Self.add([Self.item("1", "again")], to: third.index)
        #expect(try await Self.names(third.index, "again") == ["again"])
        try third.index.close()
    }

    @Test("a document takes less than 400 bytes")
    func size() async throws {
        try await Self.with { index, path in
            try await Self.add(
                (0..<20_000).map { number in
                    Self.item(
                        "Projects/Client \(number % 100)/Report \(number) of the month.pdf",
                        "Report \(number) of the month.pdf", type: "com.adobe.pdf", modified: 1.6e9 + Double(number))
                }, to: index)
            try index.close()
            let attributes = try FileManager.default.attributesOfItem(atPath: index.path)
            let bytes = try #require(attributes[.size] as? Int)
            #expect(bytes / 20_000 < 400, "\(bytes / 20_000)")
        }
    }
}
