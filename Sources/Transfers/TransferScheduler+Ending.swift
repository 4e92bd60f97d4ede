package import DocentInterfaces
package import FoundationEssentials
import HostCore
import Rights

extension TransferScheduler {
    /// The consequence of an attempt's end.
    package struct Ending: Sendable, Equatable {
        /// The waiters to notify.
        package var told: Set<Int> = []
        /// Their failure; nil for success.
        package var failure: Failure?
        /// Whether the transfer is over and forgotten.
        package var isOver = false
    }

    /// Records the end of an attempt.
    ///
    /// - Parameters:
    ///   - failure: nil when the transfer is complete.
    ///   - isDomainReady: whether its domain is ready now.
    ///   - chance: a random number, evenly distributed from 0 to 1.
    package mutating func ended(
        _ identifier: String, _ failure: Failure?, isDomainReady: Bool, chance: Double, now: Moment
    ) -> Ending {
        guard var transfer = transfers[identifier], transfer.phase == .running else { return Ending() }
        running.remove(identifier)
        defer { if transfers[identifier] != nil { transfers[identifier] = transfer } }
        guard let failure else { return succeeded(&transfer, now) }
        if let ending = transfer.endingWith { return stopped(&transfer, ending, now) }
        let seen = transfer.isStalled ? silence(transfer) : failure
        transfer.failures = transfer.hasGained ? 1 : transfer.failures + 1
        let attempt = RetryPolicy.Attempt(
            failure: seen, failures: transfer.failures, hasGained: transfer.hasGained, isDomainReady: isDomainReady,
            chance: chance)
        if transfer.isUrgent {
            if case .retry(let seconds) = policy.whenAwaited(attempt) {
                delay(&transfer, seconds, seen, now)
                return Ending()
            }
            let told = transfer.waiters
            transfer.waiters = []
            guard transfer.wanted != nil else {
                forget(identifier)
                return Ending(told: told, failure: seen, isOver: true)
            }
            var ending = unattended(&transfer, attempt, now)
            ending.told = told
            ending.failure = seen
            return ending
        }
        return unattended(&transfer, attempt, now)
    }

    private mutating func succeeded(_ transfer: inout ScheduledTransfer, _ now: Moment) -> Ending {
        // An upload's content may have changed after it was read.
        guard transfer.again, transfer.key.kind == .upload else {
            forget(transfer.identifier)
            return Ending(told: transfer.waiters, isOver: true)
        }
        let told = transfer.served
        transfer.waiters.subtract(told)
        transfer.renew(now: now)
        enter(&transfer, isFirst: true)
        return Ending(told: told)
    }

    private mutating func stopped(
        _ transfer: inout ScheduledTransfer, _ failure: Failure, _ now: Moment
    ) -> Ending {
        if transfer.again {
            transfer.renew(now: now)
            enter(&transfer, isFirst: false)
            return Ending()
        }
        let told = transfer.waiters
        transfer.waiters = []
        guard transfer.key.kind == .upload else {
            forget(transfer.identifier)
            return Ending(told: told, failure: failure, isOver: true)
        }
        transfer.phase = .failed
        transfer.failure = failure
        return Ending(told: told, failure: failure)
    }

    private mutating func unattended(
        _ transfer: inout ScheduledTransfer, _ attempt: RetryPolicy.Attempt, _ now: Moment
    ) -> Ending {
        switch policy.whenUnattended(attempt) {
        case .retry(let seconds):
            delay(&transfer, seconds, attempt.failure, now)
            return Ending()
        case .pause:
            // This ends sooner if the domain becomes ready.
            delay(&transfer, policy.longestDelay, attempt.failure, now)
            return Ending()
        case .fail:
            guard transfer.key.kind == .upload else {
                forget(transfer.identifier)
                return Ending(failure: attempt.failure, isOver: true)
            }
            if transfer.again {
                let told = transfer.served
                transfer.waiters.subtract(told)
                transfer.renew(now: now)
                enter(&transfer, isFirst: false)
                return Ending(told: told, failure: attempt.failure)
            }
            let told = transfer.waiters
            transfer.waiters = []
            transfer.phase = .failed
            transfer.failure = attempt.failure
            return Ending(told: told, failure: attempt.failure)
        }
    }

    private mutating func delay(
        _ transfer: inout ScheduledTransfer, _ seconds: Double, _ failure: Failure, _ now: Moment
    ) {
        transfer.phase = .delayed
        transfer.again = false
        transfer.failure = failure
        transfer.failedAt = now
        transfer.hadOutage = false
        transfer.nextAttempt = now + .seconds(seconds)
        transfer.notBefore = failure.retryAfter.map { now + .seconds(min(max($0, 0), 86_400)) }
        delayed.insert(transfer.identifier)
    }

    private func silence(_ transfer: ScheduledTransfer) -> Failure {
        var failure = Failure(
            .unavailable, "The transfer of \"\(transfer.name)\" made no progress for \(stall).",
            suggestion: "Check the network and try again.", provider: transfer.key.item.provider)
        failure.providerCode = .deadlineExceeded
        return failure
    }

    // MARK: Inspecting

    /// The present state of every transfer, highest priority first.
    ///
    /// - Parameter wall: the time that is shown for `now`.
    package func snapshots(now: Moment, wall: Date, domains: any DomainAvailability) -> [TransferSnapshot] {
        transfers.keys.sorted { ($0.count, $0) < ($1.count, $1) }
            .compactMap { snapshot($0, now: now, wall: wall, domains: domains) }
            .sorted { $0.priority > $1.priority }
    }

    /// The present state of one transfer.
    package func snapshot(
        _ identifier: String, now: Moment, wall: Date, domains: any DomainAvailability
    ) -> TransferSnapshot? {
        guard let transfer = transfers[identifier] else { return nil }
        let account = transfer.key.account
        let domain = domains.state(account.provider, account.domain)
        let isPaused = domain != .ready && !transfer.isUrgent
        let state: TransferSnapshot.State =
            switch transfer.phase {
            case .running: .running
            case .failed: .failed
            case .waiting: isPaused ? .paused : .waiting
            case .delayed: isPaused || transfer.failure?.asksForSignIn == true ? .paused : .retrying
            }
        let next = state == .retrying ? transfer.due : nil
        return TransferSnapshot(
            identifier: identifier, key: transfer.key, name: transfer.name, state: state, priority: transfer.priority,
            completed: transfer.completed, total: transfer.total,
            bytesPerSecond: state == .running ? transfer.bytesPerSecond : nil, attempts: transfer.attempts,
            waiters: transfer.waiters.count,
            message: state == .paused ? domain.message ?? transfer.failure?.message : transfer.failure?.message,
            nextAttempt: next.map { wall + ($0 - now) / .seconds(1) })
    }
}
