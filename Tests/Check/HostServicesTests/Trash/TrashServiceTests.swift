import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import HostCore
import HostServices
import HostTesting
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
                    key.identifier, provider: kind.identifier, domain: "", to: nil, name: nil, operation: "one")
            }
            let item = try await trash.restore(
                key.identifier, provider: kind.identifier, domain: "", to: kind.place("/folder"), name: "b.txt",
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
