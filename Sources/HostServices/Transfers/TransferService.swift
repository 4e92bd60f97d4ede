package import DocentInterfaces
package import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Records
package import RemoteDocuments
package import Rights
package import Transfers

/// The transfers part of `org.docent.Administration`.
package struct TransferService: Sendable {
    private let queue: TransferQueue
    private let journal: OperationJournal
    private let monitor: DomainMonitor
    private let registry: ProviderRegistry
    private let resume: @Sendable (JournaledOperation) async -> Void
    private let name: @Sendable (ItemKey) async -> String?
    private let clock: any HostClock

    /// - Parameters:
    ///   - resume: brings the state of a change in line with the journal: queues unsent changes and shows failed ones.
    ///   - name: returns the name of a document; the journal knows only the names of new ones.
    package init(
        queue: TransferQueue, journal: OperationJournal, monitor: DomainMonitor, registry: ProviderRegistry,
        resume: @escaping @Sendable (JournaledOperation) async -> Void,
        name: @escaping @Sendable (ItemKey) async -> String?, clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.queue = queue
        self.journal = journal
        self.monitor = monitor
        self.registry = registry
        self.resume = resume
        self.name = name
    }

    // MARK: Listing

    /// The transfers of a provider, or all: those in the queue, and failed changes of an earlier daemon.
    package func transfers(provider name: String?) async throws -> [Wire.Transfer] {
        let provider = await identifier(name)
        let snapshots = await queue.snapshots().filter { provider == nil || $0.key.item.provider == provider }
        let shown = Set(snapshots.filter { $0.key.kind == .upload }.map(\.key.item))
        var seen = Set<ItemKey>()
        let failed = try await journal.unsent(provider: provider, domain: nil).filter { row in
            guard row.state == .failed, let key = row.itemKey else { return false }
            return !shown.contains(key) && seen.insert(key).inserted
        }
        var transfers = snapshots.map(TransferTranslation.transfer)
        for row in failed {
            guard let key = row.itemKey, var transfer = TransferTranslation.transfer(row) else { continue }
            transfer.name = await self.name(key) ?? transfer.name
            transfers.append(transfer)
        }
        return transfers
    }

    /// Yields whenever a transfer changes.
    package func changes() -> AsyncStream<Void> { queue.changes() }

    private func identifier(_ name: String?) async -> String? {
        guard let name else { return nil }
        // A removed provider may still have changes. Its full identifier names it.
        return (try? await registry.provider(name))?.identifier ?? name
    }

    // MARK: Changing

    /// Cancels a transfer. An upload is kept as a failed change, which can be retried.
    package func cancel(_ identifier: String) async throws {
        if TransferTranslation.row(identifier) != nil { return }
        let key = await queue.snapshots().first { $0.identifier == identifier }?.key
        try await queue.cancel(identifier)
        guard let key, key.kind == .upload else { return }
        // Changes that were sent before the attempt ended are not in this list.
        for row in try await journal.unsent(of: key.item) where row.state != .failed {
            await resume(try await journal.failed(row.id, reason: "It was cancelled."))
        }
    }

    /// Retries waiting and failed transfers at once. Each argument narrows the selection.
    ///
    /// - Returns: the number of documents concerned.
    package func retry(identifier: String?, provider name: String?, domain: String?) async throws -> Int {
        let provider = await self.identifier(name)
        let snapshots = await queue.snapshots()
        let only = identifier.map { wanted in snapshots.first { $0.identifier == wanted }?.key }
        let row = identifier.flatMap(TransferTranslation.row)
        if identifier != nil, row == nil, only == .some(nil) {
            throw Failure(.notFound, "There is no such transfer.", suggestion: "`docent transfers` lists them.")
        }
        func matches(_ key: ItemKey) -> Bool {
            (provider == nil || key.provider == provider) && (domain == nil || key.domain == domain)
        }
        let wanted = only ?? nil
        var keys = Set<TransferKey>()
        monitor.probeNow { account in
            wanted.map { $0.account == account }
                ?? ((provider == nil || account.provider == provider) && (domain == nil || account.domain == domain))
        }
        for change in try await journal.unsent(provider: provider, domain: domain) where change.state == .failed {
            guard let key = change.itemKey, matches(key) else { continue }
            let transfer = TransferKey(kind: .upload, item: key)
            guard identifier == nil || change.id == row || wanted == transfer else { continue }
            keys.insert(transfer)
            await resume(try await journal.retried(change.id))
        }
        guard row == nil else { return keys.count }
        let chosen = snapshots.filter { matches($0.key.item) && (wanted == nil || wanted == $0.key) }
        let others = Set(chosen.filter(\.state.canBeRetried).map(\.key))
        // Running transfers are included, so that they are soon retried if they fail.
        let asked = Set(chosen.map(\.key))
        await queue.retry { asked.contains($0.key) }
        return keys.union(others).count
    }

    // MARK: Waiting

    /// The changes that are left to send.
    package struct Remainder: Sendable, Equatable {
        package var pending: Int
        package var failed: Int
    }

    /// Waits until every change is sent, only the user could make progress, or the time is over.
    ///
    /// - Parameters:
    ///   - timeout: in seconds; nil is no limit.
    ///   - tell: called whenever the remainder changes.
    package func drain(
        timeout: Double?, tell: (Remainder) async throws -> Void = { _ in }
    ) async throws -> Remainder {
        let deadline = timeout.map { clock.now + .seconds(min(max($0, 0), 1e9)) }
        monitor.probeNow()
        await queue.retry { $0.key.kind == .upload && $0.state != .failed }
        var last: Remainder?
        var stuckSince: ContinuousClock.Instant?
        while true {
            let rows = try await journal.unsent(provider: nil, domain: nil)
            let waiting = rows.filter { $0.state != .failed }
            let left = Remainder(pending: waiting.count, failed: rows.count - waiting.count)
            if let deadline, deadline <= clock.now { return left }
            let isSending = await queue.snapshots().contains { $0.key.kind == .upload && $0.state == .running }
            guard left.pending > 0 else {
                guard isSending else { return left }
                // The last change is recorded as sent. Its document counts as sent a moment later.
                try await clock.sleep(for: .milliseconds(20))
                continue
            }
            // Without a login nothing makes progress. The first seconds are for domains that are just trying to sign
            // in.
            if waiting.allSatisfy({ monitor.state($0.provider, $0.domain).waitsForSomebody }) {
                let since = stuckSince ?? clock.now
                stuckSince = since
                if clock.now - since > .seconds(3), !isSending { return left }
            } else {
                stuckSince = nil
            }
            if left != last { try await tell(left) }
            last = left
            // Thousands of rows are not read ten times a second.
            try await clock.sleep(for: .milliseconds(100 + min(left.pending / 5, 900)))
        }
    }
}
