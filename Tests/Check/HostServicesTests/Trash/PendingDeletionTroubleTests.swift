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

@testable import DaemonCore

/// The same with names that are used again, kills, a service that is away, and accounts that end.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct PendingDeletionTroubleTests {
    private typealias Base = PendingDeletionTests
    private static let kind = PendingDeletionTests.kind
    private static let environment = PendingDeletionTests.environment

    // MARK: Names

    @Test("O15: a new document of the same name is possible, and comes after the deletion")
    func newDocument() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.txt", "old"))
            try await host.grant(Self.kind.root)
            _ = try await Base.delete(host, key)
            let client = host.client()
            try await client.begin(new: "A.txt", in: Self.kind.root, "new", operation: "make")
            try await client.commit("make")
            try await TransferSupport.eventually { store.contents()["A.txt"] == "new" }
            #expect(store.contents() == ["A.txt": "new"] && store.text(key.identifier) == nil)
            #expect(try await Base.entries(host).isEmpty)
            // Deleted and changed by somebody else: both are there then.
            let other = Self.kind.key(store.add("b.txt", "old"))
            _ = try await Base.delete(host, other)
            store.edit(other.identifier, "theirs")
            await Base.refuses(.conflict) {
                _ = try await host.services.mover.makeFolder(
                    host.session(), in: Self.kind.root, name: "b.txt", operation: "folder")
            }
            #expect(store.contents()["b.txt"] == "theirs")
        }
    }

    @Test("O15: a new folder, and what is moved or renamed to the same place, come after the deletion")
    func newFolderAndMove() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let mover = host.services.mover
            let first = Self.kind.key(store.add("a", "old"))
            _ = try await Base.delete(host, first)
            _ = try await mover.makeFolder(host.session(), in: Self.kind.root, name: "a", operation: "folder")
            #expect(store.text(first.identifier) == nil)
            let (second, third) = (Self.kind.key(store.add("b", "old")), Self.kind.key(store.add("c", "new")))
            _ = try await Base.delete(host, second)
            _ = try await mover.move(host.session(), third, to: nil, name: "b", operation: "rename")
            #expect(store.text(second.identifier) == nil && store.contents()["b"] == "new")
            #expect(try await Base.entries(host).isEmpty)
        }
    }

    @Test("O15: a deletion is carried out before the folder that it was in moves")
    func movedFolder() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let folder = Self.kind.key(store.addFolder("folder"))
            let inner = store.addFolder("inner", in: folder.identifier)
            let key = Self.kind.key(store.add("a.txt", "old", in: inner))
            let other = Self.kind.key(store.add("b.txt", "old"))
            _ = try await Base.names(host)
            _ = try await Base.names(host, in: folder)
            _ = try await Base.names(host, in: Self.kind.key(inner))
            _ = try await Base.delete(host, key)
            _ = try await Base.delete(host, other)
            _ = try await host.services.mover.move(host.session(), folder, to: nil, name: "moved", operation: "move")
            #expect(store.calls(.delete).map(\.subject) == [key.identifier])
            #expect(try await Base.entries(host).map(\.name) == ["b.txt"])
        }
    }

    @Test("O15: a deletion that is held is not recorded")
    func held() async throws {
        var environment = Self.environment
        environment["DOCENT_CHANGE_LIMIT"] = "1"
        try await TestHost.with(environment: environment) { host in
            let store = host.store(Self.kind)
            let keys = ["a.txt", "b.txt"].map { Self.kind.key(store.add($0, "text")) }
            let session = host.session()
            for (key, isAllowed) in zip(keys, [true, false]) {
                let deletion = {
                    _ = try await host.services.mover.delete(
                        session, key, version: nil, isRecursive: false, operation: UUID().uuidString)
                }
                if isAllowed { try await deletion() } else { await Base.refuses(.held, deletion) }
            }
            #expect(try await Base.entries(host).map(\.name) == ["a.txt"])
            #expect(try await Base.names(host) == ["b.txt"])
        }
    }

    // MARK: Restarts

    @Test("O15: the next daemon hides, restores and carries out what an earlier one recorded")
    func restarted() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let (key, other) = (Self.kind.key(store.add("a.txt", "a")), Self.kind.key(store.add("b.txt", "b")))
            _ = try await Base.delete(host, key)
            _ = try await Base.delete(host, other)
            try await host.restarted { next in
                #expect(try await Base.names(next).isEmpty)
                #expect(await next.services.isBusy())
                #expect(try await Base.entries(next).map(\.name) == ["b.txt", "a.txt"])
                let undone = try await Base.undo(next)
                #expect(undone.item?.name == "b.txt")
                // Without another request.
                await Base.pass(next, seconds: 3_700)
                #expect(store.contents() == ["b.txt": "b"])
                #expect(next.services.remote.deletions.isEmpty)
            }
        }
    }

    /// What a daemon that was killed left: the change in the journal, and the deletion itself if it came so far.
    private func interrupt(_ host: TestHost, _ key: ItemKey, isRecorded: Bool) async throws {
        let item = try await host.services.gateway.item(key)
        var change = ItemChange(
            .delete, of: key, to: ".root", name: item.name, formerName: item.name, version: item.version,
            operation: "killed", principal: writer, from: ".root", isFolder: false)
        let now = host.clock.date
        let deletion = PendingDeletion(
            id: change.id, principal: writer, key: key, parent: ".root", name: item.name, isFolder: false, size: 4,
            path: "/" + item.name, created: now, due: now.addingTimeInterval(3_600))
        change.isTrashed = true
        change.trashed = deletion.trashed
        change.finalDate = deletion.due
        try await ItemChangeJournal(database: host.services.database).save(change)
        guard isRecorded else { return }
        let known = try #require(try await host.services.remote.index.item(key))
        try await host.services.remote.deletions.record(deletion, [known], unknown: [])
    }

    @Test("O15: after a kill, a deletion that was not recorded has not happened, and a recorded one is finished")
    func killed() async throws {
        for isRecorded in [false, true] {
            try await TestHost.with(environment: Self.environment) { host in
                let store = host.store(Self.kind)
                let key = Self.kind.key(store.add("a.txt", "text"))
                try await interrupt(host, key, isRecorded: isRecorded)
                try await host.restarted { next in
                    let done = try await next.services.mover.deletion("killed", next.session())
                    #expect((done?.finalDate != nil) == isRecorded)
                    #expect(try await Base.names(next) == (isRecorded ? [] : ["a.txt"]))
                    #expect(try await Base.entries(next).count == (isRecorded ? 1 : 0))
                    if isRecorded {
                        #expect(try await Base.undo(next).item?.reference.key == key)
                    } else {
                        #expect(try await next.services.trash.lastChange() == nil)
                    }
                    #expect(store.text(key.identifier) == "text" && store.calls(.delete).isEmpty)
                }
            }
        }
    }

    @Test("O15: a kill after the provider has deleted it leaves nothing to do")
    func killedAfterwards() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.txt", "text"))
            _ = try await Base.delete(host, key)
            // The answer is lost with the daemon.
            store.before(.delete, when: .done) { _ in throw FileProviderError(.serverUnreachable, "It is cut.") }
            await Base.pass(host)
            #expect(store.text(key.identifier) == nil)
            #expect(!host.services.remote.deletions.isEmpty)
            try await host.restarted { next in
                await Base.pass(next, seconds: 3_700)
                #expect(next.services.remote.deletions.isEmpty)
                #expect(store.calls(.delete).count == 1)
            }
        }
    }

    // MARK: The service

    @Test("O15: a service that is away when the time comes is asked again later")
    func away() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.txt", "text"))
            _ = try await Base.delete(host, key)
            store.fail(.item, .serverUnreachable, times: 1_000)
            await Base.pass(host)
            #expect(!host.services.remote.deletions.isEmpty && store.text(key.identifier) == "text")
            let asked = store.calls(.item).count
            // Not at once, and not each time.
            await host.services.remote.deletions.round()
            #expect(store.calls(.item).count == asked)
            // The user does not want to wait either.
            try await Base.empty(host, try #require(try await Base.entries(host).first))
            #expect(store.text(key.identifier) == "text")
            store.clearRules()
            for _ in 0..<10 where !host.services.remote.deletions.isEmpty { await Base.pass(host, seconds: 700) }
            #expect(store.text(key.identifier) == nil && host.services.remote.deletions.isEmpty)
        }
    }

    @Test("O15: a service that refuses to delete it is believed, and it appears again")
    func refused() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.txt", "text"))
            try await host.grant(key)
            _ = try await Base.delete(host, key)
            store.fail(.delete, .notPermitted)
            await Base.pass(host)
            #expect(try await Base.names(host) == ["a.txt"])
            #expect(try await host.services.documents.info(host.session(), key).name == "a.txt")
            _ = try await Base.delete(host, key)
            store.fail(.delete, .notPermitted)
            let entry = try #require(try await Base.entries(host).first)
            await Base.refuses(.conflict) { try await Base.empty(host, entry) }
            #expect(try await Base.names(host) == ["a.txt"])
        }
    }

    @Test("O15: it is taken back while the service is away")
    func restoredAway() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let store = host.store(Self.kind)
            let key = Self.kind.key(store.add("a.txt", "text"))
            try await host.grant(key)
            _ = try await Base.delete(host, key)
            let entry = try #require(try await Base.entries(host).first)
            let id = try #require(PendingDeletion.id(trashed: entry.identifier))
            store.fail(.item, .serverUnreachable, times: 1_000)
            #expect(try await host.services.remote.deletions.restore(id) == key)
            #expect(try await host.services.remote.index.item(key)?.description.name == "a.txt")
            store.clearRules()
        }
    }

    // MARK: Accounts

    private func delete(_ host: TestHost, _ name: String) async throws -> ItemKey {
        let key = Account.item(host.store(Self.kind).add(name, "text"))
        _ = try await Base.delete(host, key)
        return key
    }

    @Test("O15: a logout carries out what waits, as far as the service can be reached, and names the rest")
    func logout() async throws {
        for isAway in [false, true] {
            try await TestHost.with(environment: Self.environment) { host in
                let account = Account(host)
                try await account.login()
                let store = host.store(Self.kind)
                let key = try await delete(host, "a.txt")
                if isAway { store.fail(.item, .serverUnreachable, times: 1_000) }
                let outcome = try await host.clock.letting(["LogoutService"]) { try await account.logout() }
                #expect(outcome.undeleted == (isAway ? ["/a.txt"] : []))
                #expect((store.text(key.identifier) == "text") == isAway)
                #expect(host.services.remote.deletions.isEmpty)
                store.clearRules()
                try await account.login("bob", attempt: "second")
                await Base.pass(host)
                #expect((store.text(key.identifier) == "text") == isAway, "Nothing happens under another account.")
            }
        }
    }

    @Test("O15: what was deleted in one account is not deleted in another that takes its place")
    func otherAccount() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            let account = Account(host)
            try await account.login()
            let key = try await delete(host, "a.txt")
            // The same one: it goes on.
            try await account.login(attempt: "again")
            #expect(!host.services.remote.deletions.isEmpty)
            try await account.login("bob", attempt: "other")
            #expect(host.services.remote.deletions.isEmpty)
            await Base.pass(host)
            #expect(host.store(Self.kind).text(key.identifier) == "text")
        }
    }

    @Test("O15: an account with deletions that wait is removed only by force, and they are given up then")
    func removed() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            try await Account(host).login()
            let key = try await delete(host, "a.txt")
            let domains = host.services.domains
            await Base.refuses(.conflict) {
                _ = try await domains.remove(
                    Account.name, of: Account.key.provider, isForced: false, leavesSecret: false)
            }
            let removed = try await domains.remove(
                Account.name, of: Account.key.provider, isForced: true, leavesSecret: false)
            #expect(removed.undeleted == ["/a.txt"])
            await Base.pass(host)
            #expect(host.store(Self.kind).text(key.identifier) == "text")
        }
    }

    // MARK: The user's rules

    @Test("O15: the user sets the time for all accounts and for one; 0 deletes at once")
    func rules() async throws {
        var environment = Self.environment
        environment["DOCENT_DELETION_GRACE_SECONDS"] = ""
        try await TestHost.with(environment: environment) { host in
            let trash = host.services.trash
            #expect(trash.rules().rules.map(\.seconds) == [3_600] && !trash.rules().isFixed)
            _ = try await trash.setRule(provider: nil, domain: nil, seconds: 60)
            let rules = try await trash.setRule(provider: Self.kind.identifier, domain: "", seconds: 0)
            #expect(rules.map(\.seconds) == [60, 0] && rules.last?.provider == Self.kind.identifier)
            let key = Self.kind.key(host.store(Self.kind).add("a.txt", "text"))
            let done = try await Base.delete(host, key)
            #expect(done == .final)
            await Base.refuses(.notSupported) { _ = try await Base.entries(host) }
            await Base.refuses(.invalidArgument) {
                _ = try await trash.setRule(provider: nil, domain: nil, seconds: 31 * 86_400)
            }
            await Base.refuses(.notFound) {
                _ = try await trash.setRule(provider: Self.kind.identifier, domain: "nobody", seconds: 5)
            }
            try await host.restarted { next in
                #expect(next.services.trash.rules().rules.map(\.seconds) == [60, 0])
                let left = try await next.services.trash.setRule(
                    provider: Self.kind.identifier, domain: "", seconds: nil)
                #expect(left.map(\.seconds) == [60])
            }
        }
    }

    @Test("O15: no client changes what the environment of the daemon decides")
    func fixedRules() async throws {
        try await TestHost.with(environment: Self.environment) { host in
            #expect(host.services.trash.rules().isFixed)
            await Base.refuses(.notPermitted) {
                _ = try await host.services.trash.setRule(provider: nil, domain: nil, seconds: 5)
            }
        }
    }
}
