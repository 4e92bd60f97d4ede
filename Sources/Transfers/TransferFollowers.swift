package import DocentInterfaces
package import HostCore
import Synchronization

/// Those who follow the transfers of an account. Thread-safe.
package final class TransferFollowers: Sendable {
    private let followers = Mutex<[ObjectIdentifier: TransferFollower]>([:])

    package init() {}

    /// Adds a follower, until it is removed.
    package func add(_ account: DomainKey) -> TransferFollower {
        let follower = TransferFollower(account: account)
        followers.withLock { $0[ObjectIdentifier(follower)] = follower }
        return follower
    }

    package func remove(_ follower: TransferFollower) {
        followers.withLock { $0[ObjectIdentifier(follower)] = nil }
    }

    /// Whether nobody follows.
    var isEmpty: Bool { followers.withLock { $0.isEmpty } }

    /// Something has changed, progress included.
    func wake() { for follower in followers.withLock({ Array($0.values) }) { follower.wake() } }

    /// A transfer is over.
    ///
    /// - Parameters:
    ///   - last: its state before it ended.
    ///   - failure: why it failed; nil if it is complete.
    func note(_ last: TransferSnapshot, _ failure: Failure?) {
        for follower in followers.withLock({ Array($0.values) }) where follower.account == last.key.account {
            follower.note(EndedTransfer(last: last, failure: failure))
        }
    }
}

/// A transfer that is over.
package struct EndedTransfer: Sendable {
    /// Its state before it ended.
    package var last: TransferSnapshot
    /// Why it failed; nil if it is complete.
    package var failure: Failure?
}

/// One who is woken when transfers change, and learns which of an account have ended. Thread-safe.
package final class TransferFollower: Sendable {
    /// The largest number of ends that are remembered for it.
    static let limit = 4_000

    private struct State {
        var ended: [EndedTransfer] = []
        var isCut = false
    }

    let account: DomainKey
    private let state = Mutex(State())
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(account: DomainKey) { self.account = account }

    /// Yields whenever something may have changed. Only one caller may use it.
    package var changes: AsyncStream<Void> { signal.stream }

    /// What has ended since the last time, and whether more has than could be remembered.
    package func take() -> (ended: [EndedTransfer], isCut: Bool) {
        state.withLock { state in
            defer { state = State() }
            return (state.ended, state.isCut)
        }
    }

    /// Makes it look again.
    package func wake() { signal.continuation.yield() }

    func note(_ ended: EndedTransfer) {
        state.withLock { state in
            if state.ended.count < Self.limit { state.ended.append(ended) } else { state.isCut = true }
        }
        wake()
    }
}
