import Foundation
import GRDB
import HostTesting
import Testing

@testable import Records
@testable import Rights

/// What is remembered of used documents and favourites (K19, K20).
@Suite struct RecentStoreTests {
    let directory: TemporaryDirectory
    let database: HostDatabase
    let store: RecentStore

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
        store = RecentStore(database: database)
    }

    private let other = Principal(kind: .unconfined, identifier: "org.example.Other")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func document(_ identifier: String) -> UsedDocument {
        UsedDocument(key: remote(identifier), name: identifier, contentType: "public.text", isFolder: false)
    }

    private func use(_ identifier: String, by principal: Principal = writer, after seconds: Double = 0) -> DocumentUse {
        DocumentUse(principal: principal, document: document(identifier), moment: now.addingTimeInterval(seconds))
    }

    private func names(_ principal: Principal? = nil, client: String? = nil) async throws -> [String] {
        try await store.all(of: principal, client: client).map(\.document.name)
    }

    @Test("K19: the last use of each document is known for each client and over all, also after a restart")
    func order() async throws {
        try await store.add([use("a"), use("b", after: 1), use("c", by: other, after: 2)], at: now)
        try await store.add([use("a", by: other, after: 3), use("b", after: -5)], at: now)
        #expect(try await names() == ["a", "c", "b"])
        #expect(try await names(writer) == ["b", "a"])
        #expect(try await names(client: other.identifier) == ["a", "c"])
        let again = try await RecentStore(database: database).all()
        #expect(again.first == use("a", by: other, after: 3) && again.last?.moment == now.addingTimeInterval(1))
    }

    @Test("K19: only the newest documents of a client, and of all clients, are remembered, and none for ever")
    func bounded() async throws {
        let most = RecentStore.mostOfClient
        try await store.add((0..<most + 7).map { use("\($0)", after: Double($0)) }, at: now)
        try await store.add([use("x", by: other, after: -1)], at: now)
        #expect(try await names(writer).count == most)
        #expect(try await names(writer).last == "7")
        #expect(try await names(other) == ["x"])
        let clients = RecentStore.most / most + 2
        for number in 0..<clients {
            let client = Principal(kind: .unconfined, identifier: "org.example.c\(number)")
            try await store.add((0..<most).map { use("\($0)", by: client, after: 1_000 + Double(number)) }, at: now)
        }
        let count = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM recent_use") }
        #expect(count == RecentStore.most)
        #expect(try await names(writer).isEmpty)
        let later = now.addingTimeInterval(RecentStore.longestSeconds + 10)
        try await store.add([DocumentUse(principal: writer, document: document("new"), moment: later)], at: later)
        #expect(try await names(writer) == ["new"])
        #expect(try await store.all(client: "org.example.c0").isEmpty)
    }

    @Test("K19: uses are forgotten by document and by client")
    func forgotten() async throws {
        try await store.add([use("a"), use("b"), use("a", by: other), use("c", by: other)], at: now)
        #expect(try await store.forget([remote("a")], of: writer) == 1)
        #expect(try await names(other).sorted() == ["a", "c"])
        #expect(try await store.forget([remote("a"), remote("none")]) == 1)
        #expect(try await store.forget(nil, client: other.identifier) == 1)
        #expect(try await names() == ["b"])
        #expect(try await store.forget(nil) == 1)
        #expect(try await names().isEmpty)
    }

    @Test("K19: of a client that the user excludes nothing is stored, and what was is forgotten")
    func excluded() async throws {
        try await store.add([use("a"), use("b", by: other)], at: now)
        try await store.setRecorded(false, client: writer.identifier)
        #expect(try await store.unrecorded() == [writer.identifier])
        try await store.add([use("c"), use("d", by: other)], at: now)
        #expect(try await names().sorted() == ["b", "d"])
        try await store.setRecorded(true, client: writer.identifier)
        try await store.add([use("c")], at: now)
        #expect(try await names(writer) == ["c"])
        try await store.setRecorded(false, client: DocumentUses.everyone)
        try await store.add([use("e"), use("f", by: other)], at: now)
        #expect(try await names().isEmpty)
    }

    @Test("K19: noting a use needs no database; an excluded client is not noted, and what waits of it is dropped")
    func noted() {
        let uses = DocumentUses()
        uses.note(writer, document("a"), at: now)
        uses.note(writer, document("a"), at: now.addingTimeInterval(1))
        uses.note(other, document("a"), at: now)
        uses.setUnrecorded([other.identifier])
        uses.note(other, document("b"), at: now)
        #expect(uses.take() == [use("a", after: 1)])
        #expect(uses.take().isEmpty)
        for number in 0..<5_000 { uses.note(writer, document("\(number)"), at: now) }
        #expect(uses.take().count < 5_000)
        uses.setUnrecorded([DocumentUses.everyone])
        uses.note(writer, document("a"), at: now)
        #expect(uses.take().isEmpty)
    }

    @Test("K19: a document keeps its uses and its mark when its identifier changes, and when it is gone and comes back")
    func followed() async throws {
        let index = ItemIndex(database: database)
        try await index.insertProvisional(entry("p"), provider: provider, domain: "work")
        try await store.add([use("p"), use("17", after: 5), use("p", by: other)], at: now)
        #expect(try await store.addFavourite(document("p")))
        try await index.rekey(remote("p"), to: entry("17", name: "final.txt"))
        #expect(try await store.all().map(\.document.key) == [remote("17")])
        for principal in [writer, other] { #expect(try await store.all(of: principal).count == 1) }
        #expect(try await store.favourites().map(\.key) == [remote("17")])
        // In place, a provider whose identifiers are paths gives another one.
        try await GrantStore(database: database).rebind(remote("17"), to: remote("18"))
        #expect(try await store.all().map(\.document.key) == [remote("18")])
        #expect(try await store.favourites().map(\.key) == [remote("18")])
    }

    @Test("K20: favourites keep their order and have a limit; an account that is removed takes its records with it")
    func favourites() async throws {
        #expect(try await store.addFavourite(document("b"), at: now))
        #expect(try await store.addFavourite(document("a"), at: now.addingTimeInterval(1)))
        #expect(try await store.addFavourite(document("b"), at: now.addingTimeInterval(2)))
        #expect(try await store.favourites().map(\.name) == ["b", "a"])
        #expect(try await store.removeFavourite(remote("b")))
        #expect(try await !store.removeFavourite(remote("b")))
        for number in 1..<RecentStore.mostFavourites { _ = try await store.addFavourite(document("\(number)")) }
        #expect(try await !store.addFavourite(document("one more")))
        #expect(try await store.addFavourite(document("a")))
        try await store.add([use("a")], at: now)
        try await ProviderConsentStore(database: database).removeDomain("work", of: provider)
        #expect(try await store.favourites().isEmpty)
        #expect(try await names().isEmpty)
    }
}
