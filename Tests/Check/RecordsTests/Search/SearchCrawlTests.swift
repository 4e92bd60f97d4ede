import Foundation
import HostTesting
import Records
import Rights
import Testing

/// Which folders are still to be listed, as the index records it.
@Suite(.timeLimit(.minutes(5))) struct SearchCrawlTests {
    private static let account = SearchIndexTests.account

    private static func folder(_ identifier: String, in parent: String = ".root") -> IndexedItem {
        SearchIndexTests.item(identifier, identifier, in: parent, type: "public.folder", size: nil, isFolder: true)
    }

    // Lists everything by a table of folders, and returns the order.
    private static func crawl(
        _ index: SearchIndex, _ tree: [String: [IndexedItem]], most: Int = 1000
    ) async throws -> [String] {
        var listed: [String] = []
        while listed.count < most, let next = try await index.nextFolder(of: account) {
            listed.append(next.key.identifier)
            try await index.apply((tree[next.key.identifier] ?? []).map { .known($0) })
            try await index.finish(next)
        }
        return listed
    }

    @Test("every folder is listed once, whether it is met twice, in a cycle, or in two places")
    func once() async throws {
        try await SearchIndexTests.with { index, _ in
            let tree = [
                ".root": [Self.folder("a"), Self.folder("b"), Self.folder("a")],
                "a": [Self.folder("c", in: "a"), Self.folder("a", in: "a")],
                "c": [Self.folder("a", in: "c"), Self.folder("b", in: "c"), Self.folder(".root", in: "c")],
            ]
            try await index.beginRound(Self.account, at: SearchIndexTests.now)
            #expect(try await Self.crawl(index, tree).sorted() == [".root", "a", "b", "c"])
            let state = try #require(try await index.account(Self.account))
            #expect(state.listed == 4 && state.waiting == 0 && state.state == .running)
            try await index.setState(.done, of: Self.account, at: SearchIndexTests.now)
            #expect(try await index.account(Self.account)?.progress == 1)
            // The next round lists all of them again.
            try await index.beginRound(Self.account, at: SearchIndexTests.now)
            #expect(try await Self.crawl(index, tree).count == 4)
        }
    }

    @Test("whoever ends in the middle goes on where it was, also after a kill")
    func resumes() async throws {
        let folder = try TemporaryDirectory()
        let tree = [".root": (0..<20).map { Self.folder("f\($0)") }]
        let first = try SearchIndex.open(directory: folder.path).index
        try await first.beginRound(Self.account, at: SearchIndexTests.now)
        let before = try await Self.crawl(first, tree, most: 8)
        // Not closed properly.
        try first.close(isComplete: false)
        let second = try SearchIndex.open(directory: folder.path).index
        #expect(second.needsComparison)
        try await second.beginRound(Self.account, at: SearchIndexTests.now)
        let progress = try #require(try await second.account(Self.account)).progress
        #expect(progress > 0.3 && progress < 0.5)
        let after = try await Self.crawl(second, tree)
        #expect(Set(before).isDisjoint(with: after) && before.count + after.count == 21)
        try second.close()
    }

    @Test("a paused account goes on in its round; a failed folder is counted and not repeated")
    func pauses() async throws {
        try await SearchIndexTests.with { index, _ in
            try await index.beginRound(Self.account, at: SearchIndexTests.now)
            let top = try #require(try await index.nextFolder(of: Self.account))
            try await index.apply([.known(Self.folder("a")), .known(Self.folder("b", in: "a"))])
            try await index.finish(top, hasFailed: true)
            try await index.finish(top, hasFailed: true)
            try await index.setState(.paused, of: Self.account, at: SearchIndexTests.now)
            try await index.beginRound(Self.account, at: SearchIndexTests.now)
            let state = try #require(try await index.account(Self.account))
            #expect(state.failures == 1 && state.listed == 1 && state.waiting == 2)
            let depths = try await [index.nextFolder(of: Self.account)?.depth]
            #expect(depths == [1])
        }
    }

    @Test("an account is removed part by part, and nothing of another with it")
    func removes() async throws {
        try await SearchIndexTests.with { index, _ in
            let other = SearchAccount.Identity(provider: "org.docent.other", domain: "")
            try await SearchIndexTests.add(
                (0..<25).map { SearchIndexTests.item("\($0)", "name \($0)") }
                    + [SearchIndexTests.item("1", "name", account: other)], to: index)
            var (next, calls): (Int64?, Int) = (0, 0)
            while let after = next {
                next = try await index.removeSome(of: Self.account, after: after, most: 10)
                calls += 1
            }
            #expect(calls == 3)
            #expect(try await index.accounts(counts: true).map(\.documents) == [2])
        }
    }
}
