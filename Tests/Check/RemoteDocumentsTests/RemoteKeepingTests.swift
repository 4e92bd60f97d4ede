import DocentInterfaces
import Records
import RemoteDocuments
import Rights
import Synchronization
import Testing

@Suite("Local copies: which are evicted, and when changes are polled")
struct RemoteKeepingTests {
    private func copies(_ sizes: [Int64]) -> [RemoteItem] {
        sizes.enumerated().map { RemoteSample.item("\($0.offset)", local: RemoteSample.copy("1", size: $0.element)) }
    }

    @Test(
        "the least recently used copies are evicted, no more than needed",
        arguments: [(0, []), (1, ["0"]), (10, ["0"]), (11, ["0", "2"]), (1000, ["0", "2"])] as [(Int64, [String])])
    func victims(bytes: Int64, expected: [String]) {
        let chosen = EvictionChoice.victims(copies([10, 0, 20]), freeing: bytes) { _ in true }
        #expect(chosen.map(\.key.identifier) == expected)
    }

    @Test("O2: copies that are open, pinned or unsent are skipped")
    func kept() {
        let chosen = EvictionChoice.victims(copies([10, 10, 10]), freeing: 15) { $0.key.identifier != "0" }
        #expect(chosen.map(\.key.identifier) == ["1", "2"])
    }

    @Test(
        "how much a quota requires to be freed",
        arguments: [(100, 50, 50, 0), (100, 50, 51, 1), (0, 0, 7, 7), (100, Int64.max, 1, Int64.max)]
            as [(Int64, Int64, Int64, Int64)])
    func quota(quota: Int64, used: Int64, size: Int64, expected: Int64) {
        #expect(EvictionChoice.excess(quota: quota, used: used, adding: size) == expected)
    }

    @Test("HAZARDS 13: polls become rarer while nothing changes, and frequent again after a change")
    func schedule() {
        var schedule = PollSchedule(base: 30)
        var pauses: [Double] = []
        for _ in 0..<20 { pauses.append(schedule.next(changed: false, jitter: 0)) }
        #expect(pauses.first == 45)
        #expect(pauses.last == PollSchedule.longest)
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        let afterChange = schedule.next(changed: true, jitter: 1)
        #expect(afterChange == 36)
        let offline = schedule.next(changed: nil, jitter: -1)
        #expect(offline == 36)
        schedule.wake()
        #expect(schedule.pause == 30)
    }

    @Test("a poll interval beyond the longest pause stays unchanged")
    func rare() {
        var schedule = PollSchedule(base: 3600)
        let pause = schedule.next(changed: false, jitter: 0)
        #expect(pause == 3600)
    }

    @Test(
        "ten callers of the same request share one call, and cancelling one affects only that one",
        .timeLimit(.minutes(1)))
    func shared() async throws {
        let calls = SharedCalls<String, Int>()
        let count = Mutex(0)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let body: @Sendable () async throws -> Int = {
            count.withLock { $0 += 1 }
            for await _ in gate { break }
            return 7
        }
        let waiters = (0..<10).map { _ in Task { try await calls.value(for: "a", body) } }
        while await calls.waitingCount(for: "a") < waiters.count { await Task.yield() }
        let impatient = try await calls.value(for: "a", patience: .milliseconds(20), body)
        #expect(impatient == nil)
        waiters[0].cancel()
        await #expect(throws: CancellationError.self) { try await waiters[0].value }
        opener.yield()
        opener.finish()
        for waiter in waiters.dropFirst() { #expect(try await waiter.value == 7) }
        #expect(count.withLock { $0 } == 1)
    }
}
