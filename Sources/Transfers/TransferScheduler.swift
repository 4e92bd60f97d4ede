package import DocentInterfaces
package import HostCore

/// Which transfer runs next, which is tried again and when, and which has failed: it makes all the queue's decisions
/// and performs none of its actions. Pure; time and chance are passed in.
package struct TransferScheduler: Sendable {
    package typealias Moment = ContinuousClock.Instant

    /// After this time in a lane, a transfer counts as awaited, so that none waits for ever.
    static let ageing = Duration.seconds(30)

    var transfers: [String: ScheduledTransfer] = [:]
    private var identifiers: [TransferKey: String] = [:]
    var lanes: [DomainKey: TransferLanes] = [:]
    var delayed: Set<String> = []
    var running: Set<String> = []
    var lastProbes: [DomainKey: Moment] = [:]
    private var lastIdentifier: UInt64 = 0
    let policy: RetryPolicy
    let stall: Duration

    /// - Parameter stall: how long an attempt may go without any report; without gaining a byte it may go ten times as
    ///   long.
    package init(policy: RetryPolicy = RetryPolicy(), stall: Duration = .seconds(60)) {
        self.policy = policy
        self.stall = stall
    }

    /// The number of transfers that wait, run or are retried.
    package var count: Int { transfers.count - transfers.values.count { $0.phase == .failed } }

    package func identifier(of key: TransferKey) -> String? { identifiers[key] }
    package func key(of identifier: String) -> TransferKey? { transfers[identifier]?.key }
    package func waiters(of identifier: String) -> Set<Int> { transfers[identifier]?.waiters ?? [] }

    // MARK: Requesting

    /// Requests a transfer: it begins, or joins an existing one.
    ///
    /// - Parameter waiter: the waiter's number; nil for a request that does not wait.
    /// - Returns: the transfer's identifier.
    package mutating func want(
        _ key: TransferKey, name: String, priority: TransferPriority, waiter: Int?, now: Moment
    ) -> String {
        guard let identifier = identifiers[key], var transfer = transfers[identifier] else {
            lastIdentifier += 1
            let identifier = "\(key.kind.rawValue)-\(lastIdentifier)"
            var transfer = ScheduledTransfer(identifier: identifier, key: key, name: name, now: now)
            if let waiter { transfer.waiters = [waiter] } else { transfer.wanted = priority }
            transfers[identifier] = transfer
            identifiers[key] = identifier
            lanes[key.account, default: TransferLanes()].append(identifier, transfer.priority)
            return identifier
        }
        let before = transfer.priority
        transfer.name = name
        if let waiter {
            transfer.waiters.insert(waiter)
        } else {
            transfer.wanted = max(priority, transfer.wanted ?? priority)
        }
        switch transfer.phase {
        case .running: transfer.again = transfer.again || key.kind == .upload || transfer.endingWith != nil
        case .failed:
            transfer.renew(now: now)
            enter(&transfer, isFirst: false)
        case .delayed where waiter != nil && key.kind == .download:
            transfer.renew(now: now)
            enter(&transfer, isFirst: false)
        case .waiting where transfer.priority != before:
            lanes[key.account, default: TransferLanes()].append(identifier, transfer.priority)
        case .waiting, .delayed: break
        }
        transfers[identifier] = transfer
        return identifier
    }

    /// Removes a waiter.
    ///
    /// - Returns: whether the attempt must end, because no one else wants the download.
    package mutating func leave(_ waiter: Int, _ identifier: String) -> Bool {
        guard var transfer = transfers[identifier], transfer.waiters.remove(waiter) != nil else { return false }
        transfer.served.remove(waiter)
        transfers[identifier] = transfer
        guard transfer.key.kind == .download, transfer.waiters.isEmpty, transfer.wanted == nil else {
            if transfer.phase == .waiting {
                lanes[transfer.key.account, default: TransferLanes()].append(identifier, transfer.priority)
            }
            return false
        }
        guard transfer.phase == .running else {
            forget(identifier)
            return false
        }
        transfers[identifier]?.again = false
        guard transfer.endingWith == nil else { return false }
        transfers[identifier]?.endingWith = Failure(.cancelled, "Nobody was waiting for it any more.")
        return true
    }

    // MARK: Cancelling and trying again

    /// Ends a transfer for the user: an upload is kept as failed, a download is forgotten.
    ///
    /// - Returns: the waiters to notify, and whether an attempt must end.
    package mutating func cancel(_ identifier: String, _ failure: Failure) -> (waiters: Set<Int>, stops: Bool) {
        guard var transfer = transfers[identifier] else { return ([], false) }
        let told = transfer.waiters
        transfer.waiters = []
        transfer.served = []
        transfer.again = false
        if transfer.key.kind == .download { transfer.wanted = nil }
        let isRunning = transfer.phase == .running
        if isRunning {
            transfer.endingWith = failure
        } else if transfer.phase != .failed {
            delayed.remove(identifier)
            transfer.phase = .failed
            transfer.failure = failure
        }
        transfers[identifier] = transfer
        if !isRunning, transfer.key.kind == .download { forget(identifier) }
        return (told, isRunning)
    }

    /// Tries a delayed or failed transfer at once. A running one goes on; should its attempt fail, the next ones follow
    /// as soon as after a first failure.
    ///
    /// - Returns: whether it was one that is not running.
    package mutating func retry(_ identifier: String, now: Moment) -> Bool {
        transfers[identifier]?.failures = 0
        guard var transfer = transfers[identifier], transfer.phase == .delayed || transfer.phase == .failed else {
            return transfers[identifier]?.phase == .waiting
        }
        transfer.renew(now: now)
        enter(&transfer, isFirst: true)
        transfers[identifier] = transfer
        return true
    }

    // MARK: Bookkeeping

    /// Puts a transfer into its lane.
    mutating func enter(_ transfer: inout ScheduledTransfer, isFirst: Bool) {
        delayed.remove(transfer.identifier)
        running.remove(transfer.identifier)
        transfer.phase = .waiting
        transfer.endingWith = nil
        transfer.again = false
        if isFirst {
            lanes[transfer.key.account, default: TransferLanes()].prepend(transfer.identifier, transfer.priority)
        } else {
            lanes[transfer.key.account, default: TransferLanes()].append(transfer.identifier, transfer.priority)
        }
    }

    /// Forgets a transfer in any phase.
    package mutating func forget(_ identifier: String) {
        guard let transfer = transfers.removeValue(forKey: identifier) else { return }
        identifiers[transfer.key] = nil
        delayed.remove(identifier)
        running.remove(identifier)
    }

    /// Records the progress of a running attempt.
    mutating func progressed(_ identifier: String, _ reading: TransferMeter.Reading) {
        guard running.contains(identifier) else { return }
        transfers[identifier]?.take(reading)
    }
}
