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

/// Deletions that can be taken back where the provider has no trash, with a provider in memory.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct PendingDeletionTests {
    static let kind = TestProviderKind.remote
    /// An hour, and every answer of the provider is asked for.
    static let environment = ["DOCENT_DELETION_GRACE_SECONDS": "3600", "DOCENT_FRESH_SECONDS": "0"]

    static func delete(
        _ host: TestHost, _ key: ItemKey, recursive: Bool = false, trash: TrashUse = .preferred,
        operation: String = UUID().uuidString
    ) async throws -> Deletion {
        try await host.services.mover.delete(
            host.session(), key, version: nil, isRecursive: recursive, trash: trash, operation: operation)
    }

    static func entries(_ host: TestHost) async throws -> [Wire.TrashEntry] {
        try await host.services.trash.list(provider: kind.identifier, domain: "", page: nil).items
    }

    static func names(_ host: TestHost, in folder: ItemKey = kind.root) async throws -> Set<String> {
        Set(try await host.services.gateway.children(of: folder, page: nil).items.map(\.name))
    }

    static func undo(_ host: TestHost) async throws -> (change: Wire.Change, item: Wire.Item?) {
        let change = try #require(try await host.services.trash.lastChange())
        return try await host.services.trash.undo(host.session(), change.identifier)
    }

    static func restore(
        _ host: TestHost, _ entry: Wire.TrashEntry, to folder: String? = nil, name: String? = nil,
        operation: String = UUID().uuidString
    ) async throws -> Wire.Item {
        try await host.services.trash.restore(
            host.session(), entry.identifier, provider: entry.provider, domain: entry.domain,
            to: folder.map(kind.place), name: name, operation: operation)
    }

    static func empty(_ host: TestHost, _ entry: Wire.TrashEntry) async throws {
        try await host.services.trash.delete(entry.identifier, provider: entry.provider, domain: entry.domain)
    }

    /// Lets time pass, and does what is due then.
    static func pass(_ host: TestHost, seconds: Int = 3_601) async {
        host.clock.advance(by: .seconds(seconds))
        await host.services.remote.deletions.round()
    }

    static func refuses(
        _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    @Test("O15: a deletion without a trash hides the document, and undo brings it back with its rights")
    func document() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.txt", "text"))
            store.add("b.txt", "other")
            #expect(try await Self.names(host) == ["a.txt", "b.txt"])
            try await host.grant(key)
            let done = try await Self.delete(host, key)
            let end = try #require(done.finalDate)
            #expect(abs(end - host.clock.date.timeIntervalSince1970 - 3_600) < 1)
            #expect(store.text(key.identifier) == "text" && store.calls(.delete).isEmpty)
            // Whatever its provider lists and answers.
            #expect(try await Self.names(host) == ["b.txt"])
            await Self.refuses(.notFound) { _ = try await host.services.gateway.refreshed(key) }
            await Self.refuses(.notFound) {
                _ = try await host.services.gateway.item(
                    at: ItemPath("/a.txt"), provider: Self.kind.identifier, domain: "")
            }
            await #expect(throws: (any Error).self) {
                _ = try await host.services.documents.info(host.session(), key)
            }
            let entry = try #require(try await Self.entries(host).first)
            #expect(entry.name == "a.txt" && entry.originalPath == "/a.txt" && entry.size == 4)
            #expect(entry.finalDate == end)
            #expect(try await host.services.trash.lastChange()?.obstacle == nil)
            await Self.pass(host, seconds: 3_500)
            let undone = try await Self.undo(host)
            #expect(undone.item?.reference.key == key)
            #expect(try await host.services.documents.info(host.session(), key).name == "a.txt")
            #expect(try await Self.names(host) == ["a.txt", "b.txt"])
            #expect(try await Self.entries(host).isEmpty)
            await Self.pass(host)
            #expect(store.text(key.identifier) == "text" && store.calls(.delete).isEmpty)
        }
    }

    @Test("O15: when its time has passed the provider is asked to delete, and nothing can be taken back")
    func final() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.txt", "text"))
            _ = try await Self.delete(host, key)
            await Self.pass(host)
            #expect(store.text(key.identifier) == nil && store.calls(.delete).count == 1)
            #expect(try await Self.entries(host).isEmpty)
            #expect(host.services.remote.deletions.isEmpty)
            let last = try await host.services.trash.lastChange()
            #expect(last?.obstacle?.contains("for good") == true)
            await Self.refuses(.conflict) { _ = try await Self.undo(host) }
            await Self.pass(host)
            #expect(store.calls(.delete).count == 1)
        }
    }

    @Test("O15: what is deleted permanently, or was temporary, is not waited with")
    func atOnce() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            for trash in [TrashUse.unused, .temporary] {
                let key = Self.kind.key(store.add("a.txt", "text"))
                let done = try await Self.delete(host, key, trash: trash)
                #expect(done == .final && store.text(key.identifier) == nil)
            }
            #expect(try await Self.entries(host).isEmpty)
        }
    }

    @Test("O15: with a trash, nothing waits")
    func trash() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            host.store(Self.kind).hasTrash = true
            let key = Self.kind.key(host.store(Self.kind).add("a.txt", "text"))
            let done = try await Self.delete(host, key)
            #expect(done == .trashed)
            #expect(try await Self.entries(host).map(\.finalDate) == [nil])
        }
    }

    @Test("O15: a provider of local files without a trash deletes at once")
    func inPlace() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(.inPlace)
            let key = TestProviderKind.inPlace.key(store.add("a.txt", "text"))
            let done = try await Self.delete(host, key)
            #expect(done == .final && store.text(key.identifier) == nil)
        }
    }

    @Test("O15: a repeated deletion has the same outcome, and so has a repeated restoration")
    func repeated() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let key = Self.kind.key(host.store(Self.kind).add("a.txt", "text"))
            let first = try await Self.delete(host, key, operation: "same")
            let second = try await Self.delete(host, key, operation: "same")
            #expect(first == second)
            let entry = try #require(try await Self.entries(host).first)
            #expect(try await Self.entries(host).count == 1)
            for _ in 0..<2 {
                let item = try await Self.restore(host, entry, operation: "back")
                #expect(item.reference.key == key)
            }
            await Self.refuses(.notFound) { try await Self.empty(host, entry) }
        }
    }

    @Test("O15: it is restored elsewhere and under another name, and emptied at once")
    func restore() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let folder = store.addFolder("folder")
            let key = Self.kind.key(store.add("a.txt", "text"))
            _ = try await Self.delete(host, key)
            let entry = try #require(try await Self.entries(host).first)
            let item = try await Self.restore(host, entry, to: "/folder", name: "b.txt")
            #expect(item.name == "b.txt" && item.parent == folder && item.reference.key == key)
            #expect(store.contents(of: folder) == ["b.txt": "text"])
            _ = try await Self.delete(host, key)
            try await Self.empty(host, try #require(try await Self.entries(host).first))
            #expect(store.text(key.identifier) == nil)
            #expect(try await Self.entries(host).isEmpty)
        }
    }

    @Test("O15: what somebody else changed is not deleted and appears again, when it is seen or when the time comes")
    func changed() async throws {
        for isSeen in [true, false] {
            try await TestHost.with(environment: Self.environment) { host in
                let store = host.store(Self.kind)
                let key = Self.kind.key(store.add("a.txt", "text"))
                try await host.grant(key)
                _ = try await Self.delete(host, key)
                store.edit(key.identifier, "newer")
                if !isSeen { await Self.pass(host) }
                try await TransferSupport.eventually {
                    let names = try await Self.names(host)
                    await host.services.remote.deletions.round()
                    return names == ["a.txt"]
                }
                #expect(store.text(key.identifier) == "newer" && store.calls(.delete).isEmpty)
                #expect(try await Self.entries(host).isEmpty)
                #expect(try await host.services.trash.lastChange() == nil)
                #expect(host.services.remote.deletions.isEmpty)
            }
        }
    }

    @Test("O15: what somebody else deleted meanwhile is done, and cannot be restored")
    func deletedElsewhere() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.txt", "text"))
            _ = try await Self.delete(host, key)
            store.remove(key.identifier)
            let entry = try #require(try await Self.entries(host).first)
            await Self.refuses(.notFound) { _ = try await Self.restore(host, entry) }
            await Self.pass(host)
            #expect(store.calls(.delete).isEmpty)
            #expect(try await Self.entries(host).isEmpty)
        }
    }

    @Test("O15: a folder goes and returns with everything in it, and with the rights to what is in it")
    func folder() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let folder = Self.kind.key(store.addFolder("folder"))
            let inner = store.addFolder("inner", in: folder.identifier)
            let key = Self.kind.key(store.add("a.txt", "text", in: inner))
            _ = try await host.services.gateway.item(key)
            try await host.grant(key)
            try await host.grant(folder)
            _ = try await Self.delete(host, folder, recursive: true)
            #expect(try await Self.names(host).isEmpty)
            await #expect(throws: (any Error).self) {
                _ = try await host.services.documents.info(host.session(), key)
            }
            let undone = try await Self.undo(host)
            #expect(undone.item?.reference.key == folder)
            #expect(try await host.services.documents.info(host.session(), key).name == "a.txt")
            #expect(try await host.services.documents.info(host.session(), folder).name == "folder")
            _ = try await Self.delete(host, folder, recursive: true)
            await Self.pass(host)
            #expect(store.calls(.delete).map(\.subject) == [folder.identifier])
        }
    }

    @Test("O15: a folder into which somebody has put something, or in which they changed something, is not deleted")
    func changedFolder() async throws {
        for isNew in [true, false] {
            try await TestHost.with(environment: Self.environment) { host in
                let store = host.store(Self.kind)
                let folder = Self.kind.key(store.addFolder("folder"))
                let key = store.add("a.txt", "text", in: folder.identifier)
                _ = try await Self.delete(host, folder, recursive: true)
                if isNew { store.add("b.txt", "theirs", in: folder.identifier) } else { store.edit(key, "theirs") }
                await Self.pass(host)
                #expect(store.calls(.delete).isEmpty)
                #expect(try await Self.names(host) == ["folder"])
                try await TransferSupport.eventually {
                    try await Self.names(host, in: folder) == (isNew ? ["a.txt", "b.txt"] : ["a.txt"])
                }
            }
        }
    }

    @Test("O15: what is deleted one by one and then with its folder goes in that order, and returns in the other")
    func oneByOne() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let folder = Self.kind.key(store.addFolder("folder"))
            let key = Self.kind.key(store.add("a.txt", "text", in: folder.identifier))
            _ = try await Self.delete(host, key)
            // As `rm -r` in a mounted folder: it is empty for everybody here.
            _ = try await Self.delete(host, folder)
            let entries = try await Self.entries(host)
            #expect(entries.map(\.name) == ["folder", "a.txt"])
            await Self.refuses(.notFound) { _ = try await Self.restore(host, entries[1]) }
            _ = try await Self.undo(host)
            #expect(try await Self.names(host, in: folder).isEmpty)
            _ = try await Self.undo(host)
            #expect(try await Self.names(host, in: folder) == ["a.txt"])
            _ = try await Self.delete(host, key)
            _ = try await Self.delete(host, folder)
            await Self.pass(host)
            #expect(store.calls(.delete).map(\.subject) == [key.identifier, folder.identifier])
        }
    }
}
