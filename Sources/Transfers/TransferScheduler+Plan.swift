import DocentInterfaces
import HostCore

extension TransferScheduler {
    /// What to do now.
    package struct Plan: Sendable, Equatable {
        /// Attempts to begin.
        package var start: [String] = []
        /// Attempts that moved nothing for too long and must end.
        package var stop: [String] = []
        /// When to plan again, if nothing happens before.
        package var wake: Moment?

        mutating func wake(at moment: Moment) { wake = min(wake ?? moment, moment) }
    }

    /// Decides what runs: by priority and then by age, up to the limit of each account. Transfers that are not awaited
    /// leave one place free for an awaited one. An account that is not ready is tried with one transfer at a time, when
    /// its time has come.
    package mutating func plan(
        now: Moment, limits: any TransferLimits, domains: any DomainAvailability
    ) -> Plan {
        var plan = Plan()
        checkStalls(now, &plan)
        admitDelayed(now, domains, &plan)
        for account in Array(lanes.keys) {
            let limit = max(1, limits.maximum(account.provider, account.domain))
            let state = domains.state(account.provider, account.domain)
            if state == .ready {
                fill(account, limit, now, &plan, onlyUrgent: false)
            } else {
                fill(account, limit, now, &plan, onlyUrgent: true)
                // A closed account need not be tested.
                if state.isClosed { continue }
                probe(account, domains.nextProbe(account.provider, account.domain) ?? now, now, &plan)
            }
            if lanes[account]?.isEmpty == true { lanes[account] = nil }
        }
        return plan
    }

    private mutating func checkStalls(_ now: Moment, _ plan: inout Plan) {
        for identifier in running {
            guard let transfer = transfers[identifier], !transfer.isStalled, transfer.endingWith == nil else {
                continue
            }
            let deadline = min(transfer.lastSign + stall, transfer.lastGain + stall * 10)
            if deadline <= now {
                transfers[identifier]?.isStalled = true
                plan.stop.append(identifier)
            } else {
                plan.wake(at: deadline)
            }
        }
    }

    private mutating func admitDelayed(_ now: Moment, _ domains: any DomainAvailability, _ plan: inout Plan) {
        for identifier in delayed.sorted() {
            guard var transfer = transfers[identifier] else { continue }
            let account = transfer.key.account
            let isReady = domains.state(account.provider, account.domain) == .ready
            if !isReady { transfer.hadOutage = true }
            transfers[identifier] = transfer
            if isReady || transfer.isUrgent {
                let due = transfer.due ?? now
                guard due <= now else {
                    plan.wake(at: due)
                    continue
                }
                enter(&transfer, isFirst: true)
                transfers[identifier] = transfer
            } else if lanes[account] == nil {
                // This makes the next plan test the account when its time has come.
                lanes[account] = TransferLanes()
            }
        }
    }

    private mutating func fill(
        _ account: DomainKey, _ limit: Int, _ now: Moment, _ plan: inout Plan, onlyUrgent: Bool
    ) {
        while let transfer = next(account, now, onlyUrgent: onlyUrgent) {
            let own = running(account)
            guard own.all < limit else { return }
            if transfer.priority != .awaited, own.unattended >= max(1, limit - 1) {
                // There may be an awaited transfer behind it.
                guard let urgent = next(account, now, onlyUrgent: true) else { return }
                begin(urgent, now, &plan)
                continue
            }
            begin(transfer, now, &plan)
        }
    }

    private func running(_ account: DomainKey) -> (all: Int, unattended: Int) {
        let own = running.compactMap { transfers[$0] }.filter { $0.key.account == account }
        return (own.count, own.count { $0.priority != .awaited })
    }

    private mutating func next(_ account: DomainKey, _ now: Moment, onlyUrgent: Bool) -> ScheduledTransfer? {
        var best: (rank: Int, transfer: ScheduledTransfer)?
        for priority in onlyUrgent ? [.awaited] : [TransferPriority.awaited, .pinned, .background] {
            guard let transfer = first(account, priority, onlyUrgent: onlyUrgent) else { continue }
            let isOld = now - transfer.queued > Self.ageing
            let rank = isOld ? TransferPriority.awaited.rawValue : priority.rawValue
            guard let known = best, known.rank > rank || known.rank == rank && known.transfer.queued <= transfer.queued
            else {
                best = (rank, transfer)
                continue
            }
        }
        return best?.transfer
    }

    private mutating func first(
        _ account: DomainKey, _ priority: TransferPriority, onlyUrgent: Bool
    ) -> ScheduledTransfer? {
        let known = transfers
        func counts(_ identifier: String) -> Bool {
            known[identifier].map { $0.phase == .waiting && $0.priority == priority } ?? false
        }
        guard let head = lanes[account]?.first(priority, where: counts) else { return nil }
        if onlyUrgent, known[head]?.isUrgent != true {
            return lanes[account]?.entries(priority).lazy.compactMap { known[$0] }
                .first { $0.isUrgent && counts($0.identifier) }
        }
        return known[head]
    }

    // One transfer tests whether an account is ready again.
    private mutating func probe(_ account: DomainKey, _ moment: Moment, _ now: Moment, _ plan: inout Plan) {
        guard !running.contains(where: { transfers[$0]?.key.account == account }) else { return }
        guard let candidate = firstToProbe(account, now) else { return }
        // At most one test a second, whatever the account says.
        let due = max(moment, lastProbes[account].map { $0 + .seconds(1) } ?? moment)
        guard due <= now else { return plan.wake(at: due) }
        lastProbes[account] = now
        begin(candidate, now, &plan)
    }

    private func firstToProbe(_ account: DomainKey, _ now: Moment) -> ScheduledTransfer? {
        for priority in [TransferPriority.awaited, .pinned, .background] {
            for identifier in lanes[account]?.entries(priority) ?? [] {
                if let transfer = transfers[identifier], transfer.phase == .waiting { return transfer }
            }
        }
        return delayed.compactMap { transfers[$0] }.filter { $0.key.account == account }
            .min { ($0.failedAt ?? now) < ($1.failedAt ?? now) }
    }

    private mutating func begin(_ given: ScheduledTransfer, _ now: Moment, _ plan: inout Plan) {
        var transfer = given
        delayed.remove(transfer.identifier)
        running.insert(transfer.identifier)
        transfer.phase = .running
        transfer.attempts += 1
        transfer.served = transfer.waiters
        transfer.again = false
        transfer.isStalled = false
        transfer.endingWith = nil
        transfer.hasGained = false
        transfer.nextAttempt = nil
        transfer.notBefore = nil
        transfer.hadOutage = false
        transfer.lastSign = now
        transfer.lastGain = now
        transfers[transfer.identifier] = transfer
        plan.start.append(transfer.identifier)
        plan.wake(at: now + stall)
    }
}
