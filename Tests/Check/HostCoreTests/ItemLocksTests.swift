import DocentInterfaces
import Rights
import Synchronization
import Testing

@testable import ExtensionHosting
@testable import HostCore

/// Writers of one item (H5), and operations that can be cancelled (T3).
@Suite struct ItemLocksTests {
    private static let key = ItemKey(provider: "p", identifier: "i")

    private final class Record: Sendable {
        private let state = Mutex<(inside: Int, most: Int, order: [Int])>((0, 0, []))
        func enter(_ number: Int) {
            state.withLock { state in
                state.inside += 1
                state.most = max(state.most, state.inside)
                state.order.append(number)
            }
        }
        func leave() { state.withLock { $0.inside -= 1 } }
        var most: Int { state.withLock { $0.most } }
        var order: [Int] { state.withLock { $0.order } }
    }

    /// A gate that a test opens.
    private final class Gate: Sendable {
        private let stream = AsyncStream<Void>.makeStream()
        func open() { stream.continuation.finish() }
        func wait() async { for await _ in stream.stream {} }
    }

    @Test("H5: writers of one item never overlap, and each gets its turn")
    func exclusive() async throws {
        let locks = ItemLocks()
        let record = Record()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await locks.withLock(on: Self.key) {
                        record.enter(number)
                        for _ in 0..<5 { await Task.yield() }
                        record.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(record.most == 1)
        #expect(record.order.sorted() == Array(0..<50))
    }

    @Test("H5: writers of different items do not wait for each other")
    func independent() async throws {
        let locks = ItemLocks()
        try await locks.withLock(on: Self.key) {
            // This would never end if they did.
            try await locks.withLock(on: ItemKey(provider: "p", identifier: "other")) {}
            try await locks.withLock(on: ItemKey(provider: "p", domain: "d", identifier: "i")) {}
        }
    }

    @Test("2.3: first come, first served")
    func order() async throws {
        let locks = ItemLocks()
        let record = Record()
        let gate = Gate()
        let first = Task {
            try await locks.withLock(on: Self.key) {
                record.enter(0); await gate.wait()
            }
        }
        while record.order.isEmpty { await Task.yield() }
        var waiting: [Task<Void, any Error>] = []
        for number in 1...5 {
            waiting.append(Task { try await locks.withLock(on: Self.key) { record.enter(number) } })
            while await locks.waitingCount(of: Self.key) < number { await Task.yield() }
        }
        gate.open()
        try await first.value
        for task in waiting { try await task.value }
        #expect(record.order == [0, 1, 2, 3, 4, 5])
    }

    @Test("T3: cancelling a waiting writer throws, and the next one continues")
    func cancels() async throws {
        let locks = ItemLocks()
        let record = Record()
        let gate = Gate()
        let first = Task {
            try await locks.withLock(on: Self.key) {
                record.enter(0); await gate.wait()
            }
        }
        while record.order.isEmpty { await Task.yield() }
        let second = Task { try await locks.withLock(on: Self.key) { record.enter(1) } }
        try await Task.sleep(for: .milliseconds(50))
        second.cancel()
        // It ends although the first still holds the lock.
        await #expect(throws: CancellationError.self) { try await second.value }
        let third = Task { try await locks.withLock(on: Self.key) { record.enter(2) } }
        gate.open()
        try await first.value
        try await third.value
        #expect(record.order == [0, 2])
    }

    @Test("H5: a writer that throws releases the item")
    func throwing() async throws {
        let locks = ItemLocks()
        await #expect(throws: Failure.self) {
            try await locks.withLock(on: Self.key) { throw Failure(.failed, "no") }
        }
        try await locks.withLock(on: Self.key) {}
    }

    private static let client = Principal(kind: .unconfined, identifier: "a")

    @Test("T3: a running operation can be cancelled by its name, but only by its own client")
    func operations() async throws {
        let table = OperationTable()
        let task = Task { try await table.run("op-1", Self.client) { try await Task.sleep(for: .seconds(600)) } }
        while table.count == 0 { await Task.yield() }
        #expect(!table.cancel("op-1", Principal(kind: .unconfined, identifier: "b")))
        #expect(!table.cancel("op-1", Principal(kind: .run, identifier: "a")))
        #expect(!table.cancel("op-2", Self.client))
        #expect(table.cancel("op-1", Self.client))
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(table.count == 0)
        #expect(!table.cancel("op-1", Self.client))
    }

    @Test("T3: when the first of two runs with one name ends, the name still belongs to the second")
    func sameName() async throws {
        let table = OperationTable()
        let gate = Gate()
        let first = Task { try await table.run("op", Self.client) { await gate.wait() } }
        while table.count == 0 { await Task.yield() }
        let record = Record()
        let second = Task {
            try await table.run("op", Self.client) {
                record.enter(1)
                try await Task.sleep(for: .seconds(600))
            }
        }
        while record.order.isEmpty { await Task.yield() }
        gate.open()
        try await first.value
        #expect(table.cancel("op", Self.client))
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    @Test(
        "W: an operation's name can be a file name",
        arguments: ["", "a/b", "..", "a.b", "é", "a b", String(repeating: "x", count: 65)])
    func names(_ name: String) async {
        await #expect(throws: Failure.self) { try await OperationTable().run(name, Self.client) {} }
    }

    @Test("law 5: silence beyond the deadline is detected, progress extends it, and cancelling ends the watch")
    func progress() async {
        let watch = ProgressWatch(deadline: .milliseconds(50))
        await watch.waitForSilence()
        #expect(watch.isSilent)
        let patient = ProgressWatch(deadline: .seconds(600))
        patient.note()
        let task = Task { await patient.waitForSilence() }
        task.cancel()
        await task.value
        #expect(!patient.isSilent)
    }
}
