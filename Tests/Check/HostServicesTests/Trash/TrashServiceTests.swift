import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import HostCore
import HostServices
import HostTesting
import Records
import RemoteDocuments
import Rights
import Saving
import Testing

/// Deletions that go to the trash, and changes that are taken back, with providers in memory.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct TrashServiceTests {
    private static let kinds = [TestProviderKind.inPlace, .remote]

    private func delete(
        _ host: TestHost, _ key: ItemKey, recursive: Bool = false, trash: TrashUse = .preferred,
        operation: String = UUID().uuidString
    ) async throws -> Deletion {
        try await host.services.mover.delete(
            host.session(), key, version: nil, isRecursive: recursive, trash: trash, operation: operation)
    }

    private func list(_ host: TestHost, _ kind: TestProviderKind) async throws -> [Wire.TrashEntry] {
        try await host.services.trash.list(provider: kind.identifier, domain: "", page: nil).items
    }

    private func undo(_ host: TestHost) async throws -> (change: Wire.Change, item: Wire.Item?) {
        let change = try #require(try await host.services.trash.lastChange())
        return try await host.services.trash.undo(host.session(), change.identifier)
    }

    private func refuses(
        _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    @Test("O15: a deletion goes to the trash, and undo brings the document back with its rights", arguments: kinds)
    func document(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            store.hasTrash = true
            let key = kind.key(store.add("a.txt", "text"))
            _ = try await host.services.gateway.item(key)
            try await host.grant(key)
            #expect(try await delete(host, key) == .trashed)
            #expect(store.trashed == [key.identifier] && store.calls(.delete).isEmpty)
            await refuses(.notFound) { _ = try await host.services.gateway.refreshed(key) }
            let entry = try #require(try await list(host, kind).first)
            #expect(entry.name == "a.txt" && entry.originalPath == "/a.txt" && entry.provider == kind.identifier)
            let last = try #require(try await host.services.trash.lastChange())
            #expect(last.kind == "delete" && last.formerName == "a.txt" && last.formerFolder == "/")
            #expect(last.obstacle == nil)
            let undone = try await undo(host)
            #expect(undone.item?.reference.key == key)
            #expect(store.text(key.identifier) == "text" && store.trashed.isEmpty)
            #expect(try await host.services.documents.info(host.session(), key).name == "a.txt")
            #expect(try await host.services.trash.lastChange() == nil)
        }
    }

    @Test("O15: a domain without a trash deletes for good, and says so when it is to be taken back", arguments: kinds)
    func withoutTrash(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            for trash in [TrashUse.preferred, .required, .unused] {
                let key = kind.key(host.store(kind).add("a.txt", "text"))
                let done = try await delete(host, key, trash: trash)
                #expect(done == .final)
                #expect(host.store(kind).text(key.identifier) == nil)
            }
            let last = try await host.services.trash.lastChange()
            #expect(last?.obstacle?.contains("for good") == true)
            await refuses(.conflict) { _ = try await undo(host) }
            await refuses(.notSupported) { _ = try await list(host, kind) }
        }
    }

    @Test("O15: what cannot be moved to a trash is deleted for good only if that is wanted", arguments: kinds)
    func untrashable(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            store.hasTrash = true
            let key = kind.key(store.add("a.txt", "text"))
            store.fail(.trash, .notSupported)
            await refuses(.notSupported) { _ = try await delete(host, key, trash: .required) }
            #expect(store.text(key.identifier) == "text")
            store.fail(.trash, .notSupported)
            let done = try await delete(host, key)
            #expect(done == .final && store.text(key.identifier) == nil && store.trashed.isEmpty)
        }
    }

    @Test("O15: a deletion for good leaves nothing in the trash", arguments: kinds)
    func permanently(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            store.hasTrash = true
            let key = kind.key(store.add("a.txt", "text"))
            // A service that puts whatever is deleted into its trash.
            store.before(.delete, when: .arrived) { _ in try store.copyToTrash(key.identifier) }
            let done = try await delete(host, key, trash: .unused)
            #expect(done == .final && store.trashed.isEmpty && store.calls(.trash).isEmpty)
        }
    }

    @Test("O15: a deletion that is repeated has the same outcome, and happens once", arguments: kinds)
    func repeated(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            store.hasTrash = true
            let key = kind.key(store.add("a.txt", "text"))
            for _ in 0..<2 {
                let done = try await delete(host, key, operation: "same")
                #expect(done == .trashed)
            }
            #expect(store.calls(.trash).count == 1)
        }
    }

    @Test(
        "O15: something in the trash is restored elsewhere and under another name, and replaces nothing",
        arguments: kinds)
    func restore(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            store.hasTrash = true
            let folder = store.addFolder("folder")
            let key = kind.key(store.add("a.txt", "text"))
            _ = try await delete(host, key)
            store.add("a.txt", "newer")
            let trash = host.services.trash
            await refuses(.conflict) {
                _ = try await trash.restore(
                    host.session(), key.identifier, provider: kind.identifier, domain: "", to: nil, name: nil,
                    operation: "one")
            }
            let item = try await trash.restore(
                host.session(), key.identifier, provider: kind.identifier, domain: "", to: kind.place("/folder"),
                name: "b.txt",
                operation: "two")
            #expect(item.name == "b.txt" && item.parent == folder)
            #expect(store.text(key.identifier) == "text")
            await refuses(.notFound) {
                try await trash.delete(key.identifier, provider: kind.identifier, domain: "")
            }
        }
    }

    @Test("O16: a move and a rename are taken back, the last one first", arguments: kinds)
    func moves(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            let folder = kind.key(store.addFolder("folder"))
            let key = kind.key(store.add("a.txt", "text"))
            let mover = host.services.mover
            _ = try await mover.move(host.session(), key, to: nil, name: "b.txt", operation: "rename")
            _ = try await mover.move(host.session(), key, to: folder, name: nil, operation: "move")
            #expect(store.contents(of: folder.identifier) == ["b.txt": "text"])
            let first = try await undo(host)
            #expect(first.change.kind == "move" && first.change.formerFolder == "/")
            #expect(store.contents().keys.contains("b.txt"))
            let second = try await undo(host)
            #expect(second.change.kind == "rename" && second.item?.name == "a.txt")
            // Nothing is left, and a repeated call has the same answer.
            #expect(try await host.services.trash.lastChange() == nil)
            let again = try await host.services.trash.undo(host.session(), second.change.identifier)
            #expect(again.item?.name == "a.txt")
        }
    }

    @Test("O16: nothing newer is replaced or moved when a change is taken back", arguments: kinds)
    func obstacles(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            store.hasTrash = true
            let key = kind.key(store.add("a.txt", "text"))
            _ = try await host.services.mover.move(host.session(), key, to: nil, name: "b.txt", operation: "rename")
            store.add("a.txt", "newer")
            // What is new at a server is known when the change is taken back.
            let shown = try await host.services.trash.lastChange()?.obstacle
            #expect(shown != nil || kind == .remote)
            await refuses(.conflict) { _ = try await undo(host) }
            #expect(store.text(key.identifier) == "text" && store.contents()["b.txt"] == "text")
            let other = kind.key(store.add("c.txt", "text"))
            _ = try await delete(host, other)
            store.add("c.txt", "newer")
            await refuses(.conflict) { _ = try await undo(host) }
            #expect(store.contents()["c.txt"] == "newer" && store.trashed == [other.identifier])
        }
    }

    private static let user = Principal(kind: .unconfined, identifier: "org.docent.cli")

    /// Takes back what a client has done, newest first.
    ///
    /// - Returns: the kinds of what was taken back, and the number of refusals.
    private func takeBack(_ host: TestHost, by client: Principal) async throws -> (kinds: [String], refused: Int) {
        let found = try await host.services.trash.changes(by: client.identifier, since: 0, page: nil)
        #expect(found.nextPage == nil)
        var (kinds, refused) = ([String](), 0)
        for change in found.changes {
            do {
                kinds.append(
                    try await host.services.trash.takeBack(host.session(Self.user), change.identifier).change.kind)
            } catch let failure as Failure {
                #expect(failure.code == .conflict)
                refused += 1
            }
        }
        return (kinds, refused)
    }

    private func sent(_ host: TestHost, _ key: ItemKey) async throws {
        try await TransferSupport.eventually { host.services.remote.states.state(of: key) == nil }
    }

    @Test("O16: everything that one client did is taken back, in spite of what others did meanwhile", arguments: kinds)
    func client(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let store = host.store(kind)
            store.hasTrash = true
            let (mover, folder) = (host.services.mover, kind.key(store.addFolder("f")))
            var keys: [ItemKey] = []
            for name in ["a", "b", "c", "d"] {
                let key = kind.key(store.add(name + ".txt", name))
                _ = try await host.services.gateway.content(key)
                for client in [writer, viewer] { try await host.grant(key, to: client) }
                keys.append(key)
            }
            try await host.client().save(keys[0], "bad", operation: "1")
            if kind == .inPlace { try await host.client().save(keys[0], "worse", operation: "2") }
            _ = try await mover.move(host.session(), keys[1], to: nil, name: "B.txt", operation: "3")
            _ = try await mover.move(host.session(), keys[1], to: folder, name: nil, operation: "4")
            _ = try await mover.delete(host.session(), keys[2], version: nil, isRecursive: false, operation: "5")
            // Others work too.
            try await host.client(viewer).save(keys[3], "mine", operation: "v")
            for key in keys { try await sent(host, key) }
            let done = try await takeBack(host, by: writer)
            let saves = Array(repeating: "overwrite", count: kind == .inPlace ? 2 : 1)
            #expect(done.kinds == ["delete", "move", "rename"] + saves && done.refused == 0)
            for (key, text) in zip(keys, ["a", "b", "c", "mine"]) {
                #expect(try await host.client().read(key) == text)
            }
            #expect(
                Set(try await host.services.gateway.children(of: kind.root, page: nil).items.map(\.name)) == [
                    "a.txt", "b.txt", "c.txt", "d.txt", "f",
                ])
            // Once is enough.
            let again = try await takeBack(host, by: writer)
            #expect(again.kinds.isEmpty && again.refused == 0)
        }
    }

    @Test(
        "O16: a document that somebody else has saved since stays, and one whose newest version is lost goes back further"
    )
    func passed() async throws {
        try await TestHost.with { host in
            let kind = TestProviderKind.inPlace
            let keys = ["a", "b"].map { kind.key(host.store(kind).add($0 + ".txt", $0)) }
            for key in keys {
                for client in [writer, viewer] { try await host.grant(key, to: client) }
                for text in ["1", "2", "3"] {
                    try await host.client().save(key, text, operation: key.identifier + text)
                }
            }
            try await host.client(viewer).save(keys[1], "mine", operation: "v")
            // What the last save of the first one replaced was thinned out.
            let lost = try #require(
                try await host.services.remote.kept.list(of: keys[0]).last)
            try await host.services.remote.kept.remove(lost.id)
            let done = try await takeBack(host, by: writer)
            #expect(done.kinds == ["overwrite", "overwrite"] && done.refused == 4)
            #expect(host.store(kind).text(keys[0].identifier) == "a")
            #expect(host.store(kind).text(keys[1].identifier) == "mine")
        }
    }

    @Test("O16: a confined client cannot hide a save by its name, and the user's own is no change")
    func hidden() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "a"))
            try await host.grant(key)
            try await host.client().save(key, "bad", operation: "undo-1")
            let done = try await takeBack(host, by: writer)
            #expect(done.kinds == ["overwrite"] && host.store(.inPlace).text(key.identifier) == "a")
            #expect(
                try await host.services.trash.changes(by: Self.user.identifier, since: 0, page: nil).changes.isEmpty)
        }
    }

    @Test("Impossible clients, moments and pages are refused")
    func impossible() async throws {
        try await TestHost.with { host in
            let trash = host.services.trash
            for (client, moment, page) in [("", 0.0, nil), ("a", .infinity, nil), ("a", 1e300, nil), ("a", 0, "x")]
                as [(String, Double, String?)]
            {
                await refuses(.invalidArgument) { _ = try await trash.changes(by: client, since: moment, page: page) }
            }
            await refuses(.notFound) { _ = try await trash.takeBack(host.session(Self.user), "none") }
        }
    }

    @Test("O16: only the last change is taken back, also if another one is made after it was shown", arguments: kinds)
    func overtaken(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = kind.key(host.store(kind).add("a.txt", "text"))
            let mover = host.services.mover
            _ = try await mover.move(host.session(), key, to: nil, name: "b.txt", operation: "one")
            let shown = try #require(try await host.services.trash.lastChange())
            _ = try await mover.move(host.session(), key, to: nil, name: "c.txt", operation: "two")
            await refuses(.conflict) { _ = try await host.services.trash.undo(host.session(), shown.identifier) }
            #expect(host.store(kind).contents().keys.contains("c.txt"))
        }
    }

    @Test("O16: what was deleted before a restart is taken back after it", arguments: kinds)
    func restarts(_ kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            host.store(kind).hasTrash = true
            let key = kind.key(host.store(kind).add("a.txt", "text"))
            _ = try await delete(host, key)
            try await host.restarted { next in
                let item = try await undo(next).item
                #expect(item?.reference.key == key)
                #expect(next.store(kind).text(key.identifier) == "text")
            }
        }
    }

    @Test("O16: a provider that was killed after it moved something to the trash leaves a change that is taken back")
    func killed() async throws {
        try await TestHost.with { host in
            let store = host.store(.inPlace)
            store.hasTrash = true
            let key = TestProviderKind.inPlace.key(store.add("a.txt", "text"))
            store.before(.trash, when: .done) { _ in throw FileProviderError(.serverUnreachable, "The answer is lost.")
            }
            _ = try? await delete(host, key, operation: "lost")
            try await host.restarted { next in
                next.services.mover.run()
                // The outcome is found out, and is the same as if the answer had arrived.
                for _ in 0..<100 where try await next.services.trash.lastChange() == nil {
                    try await Task.sleep(for: .milliseconds(100))
                }
                #expect(try await undo(next).item?.reference.key == key)
            }
        }
    }
}
