import Foundation
import HostTesting
import Records
import Rights
import Synchronization
import Testing

/// Whatever changes the record of a remote item is reported after its commit.
@Suite(.timeLimit(.minutes(5))) struct ItemFeedTests {
    private static func with(
        _ body: (ItemIndex, @Sendable () -> [String]) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        let database = try HostDatabase(directory: folder.path)
        let index = ItemIndex(database: database)
        let reported = Mutex<[String]>([])
        try await index.follow { keys in reported.withLock { $0 += keys.map(\.identifier) } }
        try await body(index) {
            reported.withLock { reported in
                defer { reported = [] }
                return reported.sorted()
            }
        }
        try database.close()
    }

    private static func description(_ identifier: String, _ name: String, in parent: String = ".root")
        -> ItemDescription
    {
        ItemDescription(identifier: identifier, parent: parent, name: name, version: "1")
    }

    @Test("listings, renames, copies, pins and deletions are reported; a listing that finds the same is not")
    func reports() async throws {
        try await Self.with { index, taken in
            let top = ItemKey(provider: "p", domain: "d", identifier: ".root")
            let items = [Self.description("1", "one"), Self.description("2", "two")]
            _ = try await index.replaceListing(of: top, with: items)
            #expect(taken() == [".root", "1", "2"])
            _ = try await index.replaceListing(of: top, with: items, at: .now + 1)
            #expect(taken().isEmpty)
            try await index.merge([Self.description("1", "uno")], provider: "p", domain: "d", at: .now + 2)
            #expect(taken() == ["1"])
            try await index.setLocal(top.sibling("2"), LocalCopy(name: "f", version: "1", size: 3))
            try await index.setPinned([top.sibling("1")], true)
            #expect(taken() == ["1", "2"])
            try await index.markUsed([top.sibling("1"): .now])
            #expect(taken().isEmpty)
            try await index.rekey(top.sibling("1"), to: Self.description("3", "drei"))
            #expect(taken() == ["1", "3"])
            _ = try await index.remove(top.sibling("2"))
            #expect(taken() == ["2"])
            #expect(try await index.items([top.sibling("3"), top.sibling("2")]).map(\.key.identifier) == ["3"])
        }
    }
}
