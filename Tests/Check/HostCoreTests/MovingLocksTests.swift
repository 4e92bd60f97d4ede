import HostTesting
import Rights
import Synchronization
import Testing

@testable import HostCore

/// The lock of an item whose identifier changes while others wait for it.
@Suite struct MovingLocksTests {
    private static let old = ItemKey(provider: "p", identifier: "Old/a.txt")
    private static let new = ItemKey(provider: "p", identifier: "New/a.txt")

    /// A gate that a test opens, and what happened in which order.
    private final class Gate: Sendable {
        private let stream = AsyncStream<Void>.makeStream()
        func open() { stream.continuation.finish() }
        func wait() async { for await _ in stream.stream {} }
    }

    private final class Record: Sendable {
        private let state = Mutex<[String]>([])
        func add(_ text: String) { state.withLock { $0.append(text) } }
        var all: [String] { state.withLock { $0 } }
    }

    @Test("H5, HAZARDS 19: a writer that waited under an old identifier never overlaps a holder under the new one")
    func moved() async throws {
        let aliases = ItemAliases()
        let locks = ItemLocks { aliases.current($0) }
        let (moving, holding) = (Gate(), Gate())
        let record = Record()
        let mover = Task {
            try await locks.withLock(on: Self.old) {
                record.add("mover")
                await moving.wait()
            }
        }
        try await TransferSupport.eventually { record.all == ["mover"] }
        let waiter = Task { try await locks.withLock(on: Self.old) { record.add("waiter") } }
        // A later one would find the new identifier at once.
        try await TransferSupport.eventually { await locks.waitingCount(of: Self.old) == 1 }
        aliases.add(Self.old, now: Self.new)
        let holder = Task {
            try await locks.withLock(on: Self.new) {
                record.add("holder")
                await holding.wait()
                record.add("holder ends")
            }
        }
        try await TransferSupport.eventually { record.all == ["mover", "holder"] }
        moving.open()
        try await mover.value
        try await Task.sleep(for: .milliseconds(50))
        #expect(record.all == ["mover", "holder"])
        holding.open()
        try await holder.value
        try await waiter.value
        #expect(record.all == ["mover", "holder", "holder ends", "waiter"])
        // Nothing is held any more, under either identifier.
        try await locks.withLock(on: Self.old) {}
        try await locks.withExactLock(on: Self.old) {}
    }

    @Test("H5: whoever learns an item's new identifier while it gets it waits, whichever identifier comes first")
    func becoming() async throws {
        for (old, new) in [(Self.old, Self.new), (Self.new, Self.old)] {
            let aliases = ItemAliases()
            let locks = ItemLocks { aliases.current($0) }
            let gate = Gate()
            let record = Record()
            let mover = Task {
                try await locks.withLock(on: old, becoming: new) {
                    aliases.add(old, now: new)
                    record.add("moved")
                    await gate.wait()
                    record.add("mover ends")
                }
            }
            try await TransferSupport.eventually { record.all == ["moved"] }
            let writer = Task { try await locks.withLock(on: old) { record.add("writer") } }
            try await TransferSupport.eventually { await locks.waitingCount(of: new) == 1 }
            gate.open()
            try await mover.value
            try await writer.value
            #expect(record.all == ["moved", "mover ends", "writer"])
            // The item has its new identifier already.
            try await locks.withLock(on: old, becoming: new) { record.add("again") }
            try await locks.withExactLock(on: old) {}
            try await locks.withExactLock(on: new) {}
            #expect(record.all.last == "again")
        }
    }
}
