import DocentTestSupport
import Foundation
import GRDB
import HostTesting
import Synchronization
import Testing

@testable import Rights

@Suite(.mayBlock) struct GrantStoreTests {
    let directory: TemporaryDirectory
    let database: HostDatabase

    init() throws {
        directory = try TemporaryDirectory()
        database = try HostDatabase(directory: directory.path)
    }

    /// The store of a daemon that starts now.
    func reopened() async throws -> GrantStore {
        try await GrantStore(database: HostDatabase(directory: directory.path))
    }

    @Test("G7: nothing is allowed without a grant, and no more than it grants")
    func checks() async throws {
        let store = try await GrantStore(database: database)
        #expect(store.check(writer, document("a"), .read) == nil)
        let grant = try await store.record(
            writer, document("a"), .read, origin: .open, executable: "/usr/bin/editor")
        #expect(store.check(writer, document("a"), .read) == grant)
        #expect(store.check(writer, document("a"), .readWrite) == nil)
        #expect(store.check(viewer, document("a"), .read) == nil)
        #expect(store.check(writer, document("b"), .read) == nil)
        let elsewhere = ItemKey(provider: "org.docent.test", domain: "work", identifier: "a")
        #expect(store.check(writer, elsewhere, .read) == nil)
        #expect(try await reopened().grants() == [grant])
    }

    @Test("I2: kinds never match each other, even with the same identifier", arguments: Principal.Kind.allCases)
    func kinds(kind: Principal.Kind) async throws {
        let store = try await GrantStore(database: database)
        let principal = Principal(kind: kind, identifier: "org.example.same")
        if kind == .unknown {
            await #expect(throws: AccessError.unrecognisedPrincipal) {
                try await store.record(principal, document("a"), .read, origin: .open)
            }
            #expect(principal != principal)
        } else {
            try await store.record(principal, document("a"), .readWrite, origin: .open)
        }
        for other in Principal.Kind.allCases {
            let found = store.check(Principal(kind: other, identifier: "org.example.same"), document("a"), .read)
            #expect((found != nil) == (other == kind && kind != .unknown))
        }
        let coded = try JSONDecoder().decode([Principal.Kind].self, from: Data(#"["toolbox"]"#.utf8))
        #expect(coded == [.unknown])
    }

    @Test("G7: a wider grant widens under the same id; a narrower one neither narrows nor replaces")
    func widening() async throws {
        let store = try await GrantStore(database: database)
        let first = try await store.record(writer, document("a"), .read, origin: .cat)
        let wider = try await store.record(writer, document("a"), .readWrite, origin: .write)
        let narrower = try await store.record(writer, document("a"), .read, origin: .cat)
        #expect(wider.id == first.id && wider.access == .readWrite && wider.origin == .write)
        #expect(wider.created == first.created)
        #expect(narrower == wider)
        #expect(store.check(writer, document("a"), .readWrite) == wider)
        #expect(try await reopened().grants() == [wider])
    }

    @Test("Fault 5: a new document under an old name gets nothing of a grant, and a rename loses none")
    func renames() async throws {
        let store = try await GrantStore(database: database)
        // The identifiers are the provider's; "report.txt" was 17, then it was renamed, and 18 took its name.
        try await store.record(writer, document("17"), .readWrite, origin: .open)
        #expect(store.check(writer, document("18"), .read) == nil)
        #expect(store.check(writer, document("17"), .readWrite) != nil)
    }

    @Test("F1: a confirmed change of identifier moves the grant and leaves nothing under the old one")
    func rebinding() async throws {
        let store = try await GrantStore(database: database)
        try await store.record(writer, document("old.txt"), .readWrite, origin: .open)
        try await store.record(viewer, document("taken.txt"), .read, origin: .open)
        await #expect(throws: AccessError.identifierInUse) {
            try await store.rebind(document("old.txt"), to: document("taken.txt"))
        }
        try await store.rebind(document("old.txt"), to: document("new.txt"))
        for store in [store, try await reopened()] {
            #expect(store.check(writer, document("old.txt"), .read) == nil)
            #expect(store.check(writer, document("new.txt"), .readWrite) != nil)
            #expect(store.check(viewer, document("new.txt"), .read) == nil)
        }
    }

    @Test("I3: when revoke returns, disk and memory refuse")
    func revocation() async throws {
        let store = try await GrantStore(database: database)
        for name in ["a", "b", "c"] { try await store.record(writer, document(name), .read, origin: .open) }
        let kept = try await store.record(viewer, document("a"), .read, origin: .open)
        let gone = try await store.revoke(GrantFilter(principal: writer))
        #expect(gone.map(\.item.identifier) == ["a", "b", "c"])
        for store in [store, try await reopened()] {
            #expect(store.check(writer, document("a"), .read) == nil)
            #expect(store.grants() == [kept])
        }
    }

    @Test(
        "I3: a filter selects what matches all its parts",
        arguments: [
            (GrantFilter(clientIdentifier: "viewer"), 2), (GrantFilter(provider: "p1"), 2),
            (GrantFilter(provider: "p1", domain: "work"), 1), (GrantFilter(domain: ""), 2),
            (GrantFilter(item: ItemKey(provider: "p2", identifier: "x")), 1), (GrantFilter(), 3),
            (GrantFilter(principal: Principal(kind: .snap, identifier: "viewer")), 0),
            (GrantFilter(principal: Principal(kind: .unknown, identifier: "viewer")), 0),
        ])
    func filters(filter: GrantFilter, count: Int) async throws {
        let store = try await GrantStore(database: database)
        try await store.record(viewer, ItemKey(provider: "p1", identifier: "x"), .read, origin: .open)
        try await store.record(viewer, ItemKey(provider: "p1", domain: "work", identifier: "x"), .read, origin: .open)
        try await store.record(writer, ItemKey(provider: "p2", identifier: "x"), .read, origin: .open)
        let meant = store.grants(filter)
        #expect(meant.count == count)
        #expect(try await store.revoke(filter) == meant)
        #expect(store.grants().count == 3 - count)
    }

    @Test("G7: after 200 random changes memory and disk agree with a plain model", arguments: [1, 2, 3] as [UInt64])
    func randomChanges(seed: UInt64) async throws {
        var generator = SplitMix(state: seed)
        let store = try await GrantStore(database: database)
        let principals = [writer, viewer, Principal(kind: .unconfined, identifier: "viewer")]
        var model: [Principal: [ItemKey: AccessLevel]] = [:]
        for _ in 0..<200 {
            let principal = principals[Int.random(in: 0..<3, using: &generator)]
            let item = document("\(Int.random(in: 0..<6, using: &generator))")
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: _ = try await store.revoke(GrantFilter(principal: principal)); model[principal] = [:]
            case 1:
                try await store.revoke(GrantFilter(item: item))
                for principal in principals { model[principal]?[item] = nil }
            case 2, 3:
                try await store.revoke(GrantFilter(principal: principal, item: item))
                model[principal]?[item] = nil
            default:
                let access: AccessLevel = Bool.random(using: &generator) ? .read : .readWrite
                try await store.record(principal, item, access, origin: .open)
                model[principal, default: [:]][item] = max(access, model[principal]?[item] ?? .read)
            }
        }
        for store in [store, try await reopened()] {
            #expect(store.grants().count == model.values.map(\.count).reduce(0, +))
            for principal in principals {
                for number in 0..<6 {
                    let expected = model[principal]?[document("\(number)")]
                    #expect(store.check(principal, document("\(number)"), .read)?.access == expected)
                }
            }
        }
    }

    @Test("Fault 2: checks from many threads continue during grants and revocations, and never see half a change")
    func concurrentChecks() async throws {
        let store = try await GrantStore(database: database)
        try await store.record(viewer, document("steady"), .read, origin: .open)
        let watch = Watch()
        for _ in 0..<4 {
            Thread.detachNewThread {
                while !watch.isOver.load(ordering: .relaxed) {
                    let steady = store.check(viewer, document("steady"), .read)
                    let changing = store.check(writer, document("changing"), .readWrite)
                    if steady == nil || (changing != nil && changing?.access != .readWrite) {
                        watch.faults.wrappingAdd(1, ordering: .relaxed)
                    }
                }
                watch.ended.signal()
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    for round in 0..<40 {
                        if (number + round).isMultiple(of: 2) {
                            try await store.record(writer, document("changing"), .readWrite, origin: .open)
                        } else {
                            try await store.revoke(GrantFilter(principal: writer))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        watch.isOver.store(true, ordering: .relaxed)
        for _ in 0..<4 { #expect(wait(for: watch.ended)) }
        #expect(watch.faults.load(ordering: .relaxed) == 0)
        // Memory applied the changes in the order in which they were stored.
        #expect(try await reopened().grants() == store.grants())
    }

    @Test("Fault 9: with 20,000 grants each is found, and one change touches one")
    func manyGrants() async throws {
        // In one transaction, because 20,000 durable ones would only test the disk.
        try await database.write { database in
            for number in 0..<20_000 {
                try database.execute(
                    sql: """
                        INSERT INTO grants
                            (principal_kind, principal_id, provider, domain, item, access, origin, created)
                        VALUES ('flatpak', 'org.gnome.TextEditor', 'org.docent.test', '', ?, 'read', 'open', 0)
                        """,
                    arguments: ["\(number)"])
            }
        }
        let store = try await GrantStore(database: database)
        #expect(store.grants().count == 20_000)
        let before = try await database.write { $0.totalChangesCount }
        try await store.revoke(GrantFilter(item: document("77")))
        try await store.record(writer, document("new"), .read, origin: .open)
        let rows = try await database.write { $0.totalChangesCount } - before
        #expect(rows == 4, "two rows of grants and two of the audit")
        let again = try await reopened()
        #expect(again.grants().count == 20_000)
        #expect(again.check(writer, document("77"), .read) == nil)
        #expect(again.check(writer, document("19999"), .read) != nil)
    }

    @Test("I4: a cancelled caller neither loses a change nor leaves half of one")
    func cancellation() async throws {
        let store = try await GrantStore(database: database)
        for number in 0..<50 {
            let task = Task { try await store.record(writer, document("\(number)"), .read, origin: .open) }
            task.cancel()
            let grant = try? await task.value
            #expect(store.check(writer, document("\(number)"), .read) == grant)
        }
        #expect(try await reopened().grants() == store.grants())
    }
}

private func wait(for semaphore: DispatchSemaphore) -> Bool {
    semaphore.wait(timeout: .now() + 60) == .success
}

/// Shared by the checking threads and their test.
private final class Watch: Sendable {
    let isOver = Atomic(false)
    let faults = Atomic(0)
    let ended = DispatchSemaphore(value: 0)
}

/// Repeatable random numbers.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
