import Foundation
import HostTesting
import Testing

@testable import Records
@testable import Rights

/// Texts that look the same but have different bytes: "é" as one character, and as a letter with a combining accent.
@Suite struct BytewiseTextTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    let directory: TemporaryDirectory
    let database: HostDatabase

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
    }

    @Test("G7: a right to a document does not cover one whose identifier only looks the same, now or after a restart")
    func rights() async throws {
        // The premise of the test: in Swift they are equal.
        #expect(Self.composed == Self.decomposed)
        let store = try await GrantStore(database: database)
        try await store.record(writer, document(Self.composed), .readWrite, origin: .open)
        try await store.record(writer, document(Self.decomposed), .read, origin: .open)
        for store in [store, try await GrantStore(database: HostDatabase(directory: directory.path))] {
            #expect(store.check(writer, document(Self.composed), .readWrite) != nil)
            #expect(store.check(writer, document(Self.decomposed), .readWrite) == nil)
            #expect(store.check(writer, document(Self.decomposed), .read) != nil)
        }
        try await store.revoke(GrantFilter(item: document(Self.composed)))
        #expect(store.check(writer, document(Self.composed), .read) == nil)
        #expect(store.check(writer, document(Self.decomposed), .read) != nil)
    }

    @Test("I2: a client has no rights of a client whose name, or whose account, only looks the same")
    func principals() async throws {
        let store = try await GrantStore(database: database)
        let first = Principal(kind: .unconfined, identifier: Self.composed)
        let second = Principal(kind: .unconfined, identifier: Self.decomposed)
        #expect(first != second)
        func item(_ domain: String) -> ItemKey {
            ItemKey(provider: "org.docent.test", domain: domain, identifier: "a")
        }
        try await store.record(first, item(Self.composed), .read, origin: .open)
        #expect(store.check(first, item(Self.composed), .read) != nil)
        #expect(store.check(second, item(Self.composed), .read) == nil)
        #expect(store.check(first, item(Self.decomposed), .read) == nil)
        #expect(store.grants(GrantFilter(domain: Self.decomposed)).isEmpty)
        #expect(store.grants(GrantFilter(clientIdentifier: Self.decomposed)).isEmpty)
    }

    @Test("an item that is gone does not stay because of unsent changes of one that only looks the same")
    func protection() async throws {
        let index = ItemIndex(database: database)
        let both = [entry(Self.composed), entry(Self.decomposed)]
        _ = try await index.replaceListing(of: remote(".root"), with: both)
        #expect(try await index.children(of: remote(".root"), after: nil, limit: 10).count == 2)
        let outcome = try await index.replaceListing(
            of: remote(".root"), with: [], protected: [BytewiseText(Self.composed)], accept: true)
        #expect(outcome.removed.map { BytewiseText($0.key.identifier) } == [BytewiseText(Self.decomposed)])
        #expect(try await index.item(remote(Self.composed)) != nil)
        #expect(try await index.remove(remote(Self.composed), protected: [BytewiseText(Self.decomposed)]).count == 1)
    }

    @Test("keys and texts are compared by their bytes in sets and tables; many that look the same do not collide")
    func tables() {
        let keys = [document(Self.composed), document(Self.decomposed)]
        #expect(Set(keys + keys).count == 2)
        #expect(Set(keys.map(\.hashValue)).count == 2)
        #expect(Set([BytewiseText(Self.composed), BytewiseText(Self.decomposed)]).count == 2)
        #expect(BytewiseText(Self.decomposed) < BytewiseText(Self.composed))
        let texts: [String?] = [Self.composed, Self.decomposed, nil, ""]
        for (first, left) in texts.enumerated() {
            for (second, right) in texts.enumerated() { #expect(left.isSame(as: right) == (first == second)) }
        }
        #expect(!Self.decomposed.begins(with: "caf\u{E9}"))
        #expect(Self.decomposed.begins(with: "cafe"))
    }
}
