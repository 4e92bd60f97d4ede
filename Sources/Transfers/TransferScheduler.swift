package import DocentInterfaces
package import HostCore

/// Which transfer runs next, which is tried again and when, which has failed: all decisions of the queue, and none of
/// its acts. Pure; time and chance are given.
package struct TransferScheduler: Sendable {
    package typealias Moment = ContinuousClock.Instant

    /// After so long in a lane a transfer counts as one that is waited for, so that none waits for ever.
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

    /// - Parameter stall: how long an attempt may go without a sign, and a tenth of how long without a byte.
    package init(policy: RetryPolicy = RetryPolicy(), stall: Duration = .seconds(60)) {
        self.policy = policy
        self.stall = stall
    }

    /// Transfers that wait, run or are tried again.
    package var count: Int { transfers.count - transfers.values.count { $0.phase == .failed } }

    package func identifier(of key: TransferKey) -> String? { identifiers[key] }
    package func key(of identifier: String) -> TransferKey? { transfers[identifier]?.key }
    package func isRunning(_ identifier: String) -> Bool { running.contains(identifier) }
    package func waiters(of identifier: String) -> Set<Int> { transfers[identifier]?.waiters ?? [] }

    // MARK: Wanting

    /// Somebody wants a transfer: it begins, or the one that is there serves him too.
    ///
    /// - Parameter waiter: the number of somebody who waits; nil for a wish that waits for nothing.
    /// - Returns: its identifier.
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

    /// Somebody waits no longer.
    ///
    /// - Returns: whether the attempt is to be told to end, because nobody else wants the download.
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
        transfers[identifier]?.endingWith = Failure(.cancelled, "Nobody waited for it any more.")
        return true
    }

    // MARK: Cancelling and trying again

    /// Ends a transfer for the user: an upload is kept as a failed one, a download is forgotten.
    ///
    /// - Returns: who is told the failure, and whether an attempt is to be told to end.
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

    /// Tries a transfer that waits for its time, or failed, at once. One that runs goes on; should this attempt fail,
    /// the next ones follow as soon as after a first failure.
    ///
    /// - Returns: whether it was one that does not run.
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

    // MARK: Own bookkeeping

    /// Puts a transfer in its lane.
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

    /// Forgets a transfer, whatever it did.
    package mutating func forget(_ identifier: String) {
        guard let transfer = transfers.removeValue(forKey: identifier) else { return }
        identifiers[transfer.key] = nil
        delayed.remove(identifier)
        running.remove(identifier)
    }

    /// Takes in what a running attempt has moved.
    mutating func progressed(_ identifier: String, _ reading: TransferMeter.Reading) {
        guard running.contains(identifier) else { return }
        transfers[identifier]?.take(reading)
    }
}
