import DocentInterfaces
import HostTesting
import Logging
import Rights
import Synchronization
import Testing

@testable import HostCore
@testable import Transfers

/// Those who follow transfers learn of each that has ended, whatever ended it (N6).
@Suite struct TransferFollowerTests {
    private typealias Support = TransferSupport

    private let queue = TransferQueue(
        limits: FixedLimit(limit: 8), domains: StatedDomains(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    private static func account(_ domain: String = "d") -> DomainKey { Support.key("", domain: domain).account }

    /// What a follower has learned, once there is something.
    private func ended(_ follower: TransferFollower) async throws -> [EndedTransfer] {
        let collected = Mutex<[EndedTransfer]>([])
        try await Support.eventually {
            let more = follower.take().ended
            return collected.withLock { collected in
                collected += more
                return !collected.isEmpty
            }
        }
        return collected.withLock { $0 }
    }

    @Test("N6: a transfer of the account that is complete is told, with its last state; another account's is not")
    func finished() async throws {
        let (follower, other) = (queue.followers.add(Self.account()), queue.followers.add(Self.account("e")))
        try await queue.perform(Support.key("x"), name: "x.txt") { report in report(10, 10) }
        let ended = try await ended(follower)
        #expect(ended.count == 1 && ended[0].failure == nil)
        #expect(ended.first?.last.name == "x.txt" && ended.first?.last.completed == 10)
        #expect(other.take().ended.isEmpty)
        queue.followers.remove(follower)
        try await queue.perform(Support.key("y"), name: "y") { _ in }
        #expect(follower.take().ended.isEmpty)
    }

    @Test("N6: a transfer that cannot succeed is told with the reason")
    func failed() async throws {
        let follower = queue.followers.add(Self.account())
        await #expect(throws: Failure.self) {
            try await queue.perform(Support.key("x"), name: "x") { _ in throw Support.failure(.noSuchItem) }
        }
        #expect(try await ended(follower).map { $0.failure?.code } == [.notFound])
    }

    @Test("N6: a transfer that is cancelled, or that nobody waits for any more, is told as cancelled")
    func cancelled() async throws {
        let follower = queue.followers.add(Self.account())
        let body: TransferBody = { _ in try await Task.sleep(for: .seconds(3600)) }
        let waiting = Task { [queue] in try await queue.perform(Support.key("x"), name: "x", body: body) }
        try await Support.eventually { await queue.count == 1 }
        waiting.cancel()
        #expect(try await ended(follower).map { $0.failure?.code } == [.cancelled])
        await queue.enqueue(Support.key("y"), name: "y", priority: .pinned, body: body)
        try await queue.cancel(try #require(await queue.snapshots().first?.identifier))
        #expect(try await ended(follower).map { $0.failure?.code } == [.cancelled])
        await queue.enqueue(Support.key("z", .upload), name: "z", priority: .background, body: body)
        await queue.cancelAll { _ in true }
        #expect(try await ended(follower).map { $0.failure?.code } == [.cancelled])
    }

    @Test("what is not taken in time does not pile up, and the follower learns it")
    func bounded() {
        let follower = queue.followers.add(Self.account())
        let last = TransferSnapshot(
            identifier: "1", key: Support.key("x"), name: "x", state: .running, priority: .awaited, completed: 0,
            attempts: 1, waiters: 1)
        for _ in 0...TransferFollower.limit { queue.followers.note(last, nil) }
        let taken = follower.take()
        #expect(taken.ended.count == TransferFollower.limit && taken.isCut)
        #expect(follower.take().ended.isEmpty && !follower.take().isCut)
    }
}
