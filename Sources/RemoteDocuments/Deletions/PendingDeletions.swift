package import DocentInterfaces
import FoundationEssentials
package import HostCore
import Logging
package import Records
package import Rights
import Storage
import Synchronization
import Transfers

/// The deletions that can still be taken back, because the provider has no trash: it is asked to delete only when a
/// time has passed. Nothing of another person is lost by that: a deletion is not carried out if the items have changed
/// meanwhile.
///
/// Recorded on disk, so a daemon that was killed continues: before a deletion is recorded it has not happened; a
/// provider that has carried it out just before the kill says that the item is missing. Thread-safe.
package final class PendingDeletions: Sendable {
    /// The outcome of a deletion that was to be carried out.
    package enum Outcome: Sendable {
        /// The items are gone from the provider.
        case done
        /// It was not carried out, and the items are there again.
        case givenUp
        /// It waits for the provider.
        case waiting(Failure)
    }

    struct Attempt {
        var failures = 0
        var next: ContinuousClock.Instant
        var wasReady: Bool
    }

    private struct State {
        var domains: [String: DomainKey] = [:]
        var attempts: [String: Attempt] = [:]
    }

    /// For how long deletions can be taken back.
    package let periods: DeletionPeriods
    let store: DeletionStore
    let index: ItemIndex
    let access: ProviderAccess
    /// The time by which deletions are carried out.
    package let clock: any HostClock
    private let changes: ContentChanges
    private let audit: AuditLog
    private let logger: Logger
    private let crash: CrashPoint
    // One at a time of each item; not the locks of living items.
    private let locks = ItemLocks()
    private let state = Mutex(State())

    package init(_ given: RemoteEnvironment, index: ItemIndex, access: ProviderAccess) {
        store = DeletionStore(database: given.database)
        let text = given.configuration.environment["DOCENT_DELETION_GRACE_SECONDS"]
        periods = DeletionPeriods(store: store, fixed: text.flatMap(DeletionPeriods.seconds))
        self.index = index
        self.access = access
        clock = given.clock
        changes = given.changes
        audit = given.audit
        logger = given.logger
        crash = given.crash
    }

    /// Reads what is recorded, before any client is served.
    package func load() async throws {
        try await periods.load()
        let all = try await store.all()
        state.withLock { state in
            state.domains = Dictionary(all.map { ($0.id, DomainKey($0.key)) }) { _, last in last }
        }
    }

    /// Whether nothing waits to be deleted.
    package var isEmpty: Bool { state.withLock(\.domains.isEmpty) }

    /// Whether a deletion waits that does not wait for somebody to sign in.
    package var isBusy: Bool {
        let domains = state.withLock { Set($0.domains.values) }
        return domains.contains { !access.monitor.state($0.provider, $0.domain).waitsForSomebody }
    }

    // MARK: Recording

    /// Records a deletion. Durable when it returns: it will be carried out, unless somebody takes it back.
    ///
    /// - Parameters:
    ///   - tree: the item, and everything in it that is known.
    ///   - unknown: the folders whose contents were not looked at.
    package func record(_ deletion: PendingDeletion, _ tree: [RemoteItem], unknown: Set<ItemKey>) async throws {
        let items = tree.filter { !$0.isProvisional }.map { item in
            DeletedItem(
                item.description, listed: unknown.contains(item.key) ? nil : item.listed, isPinned: item.isPinned)
        }
        try await store.record(deletion, items)
        state.withLock { $0.domains[deletion.id] = DomainKey(deletion.key) }
    }

    /// The deletion that a change began as; nil if it is not recorded, or no more.
    package func deletion(_ id: String) async throws -> PendingDeletion? { try await store.deletion(id) }

    /// The deletions of a domain, newest first.
    package func all(in domain: DomainKey) async throws -> [PendingDeletion] {
        guard !isEmpty else { return [] }
        return try await store.all(provider: domain.provider, domain: domain.domain).reversed()
    }

    /// Whether an item is being deleted, by itself or with the folder it is in.
    package func contains(_ key: ItemKey, in folder: String?) async throws -> Bool {
        guard !isEmpty else { return false }
        return try await store.isDeleted(key, in: folder)
    }

    // MARK: Taking back

    /// Takes a deletion back: the item is where it was, with its rights and bookmarks, and so is all that went with it.
    ///
    /// - Returns: the item.
    /// - Throws: ``Failure``: `NotFound` if it was carried out or its folder is gone, `Conflict` if another item has
    ///   the name.
    package func restore(_ id: String) async throws -> ItemKey {
        guard let given = try await store.deletion(id) else { throw Self.unknown() }
        return try await locks.withExactLock(on: given.key) {
            guard let deletion = try await self.store.deletion(id) else { throw Self.unknown() }
            try await self.requirePlace(deletion)
            let now = try await self.described(deletion)
            var isSame = true
            if let now, let root = try await self.store.items(of: id).first, root.differs(from: now) { isSame = false }
            let items = try await self.index.bringBack(deletion, returnsRights: isSame, at: self.clock.date)
            if let now {
                _ = try await self.index.merge(
                    [now], provider: deletion.key.provider, domain: deletion.key.domain, at: .now)
            }
            self.forget(id)
            self.announce(items)
            return deletion.key
        }
    }

    /// The item of a deletion that was taken back; nil if it was not, or if the item is gone again.
    package func takenBack(_ id: String) async throws -> ItemKey? {
        guard let key = try await store.takenBack(id), try await index.item(key) != nil else { return nil }
        return key
    }

    private static func unknown() -> Failure {
        Failure(.notFound, "This is not in the trash.", suggestion: "`docent trash list` shows what is there.")
    }

    private func requirePlace(_ deletion: PendingDeletion) async throws {
        let (folder, provider) = (deletion.key.sibling(deletion.parent), deletion.key.provider)
        if try await store.isDeleted(folder, in: nil) {
            throw Failure(
                .notFound, "The folder that \"\(deletion.name)\" was in was deleted too.",
                suggestion: "Restore the folder first; `docent trash list` shows it.", provider: provider)
        }
        if let other = try await index.child(named: deletion.name, of: folder), other.key != deletion.key {
            throw Failure(
                .conflict, "There is already a \"\(deletion.name)\".",
                suggestion: "Move it, or give it another name, with `docent mv`.", provider: provider)
        }
    }

    /// The item as its provider has it; nil if that does not answer.
    private func described(_ deletion: PendingDeletion) async throws -> ItemDescription? {
        let key = deletion.key
        do {
            let said = try await access.call(
                FileProviderInterface.Item.self, .init(domain: key.domain, identifier: key.identifier),
                provider: key.provider, domain: key.domain, isForced: true
            ).item
            guard ItemDescription.problem(said, isChild: true) == nil, said.identifier.isSame(as: key.identifier)
            else { return nil }
            return ItemDescription(said)
        } catch let failure as Failure {
            guard Existence(failure) != .missing else {
                throw Failure(
                    .notFound, "\"\(deletion.name)\" is gone from \(key.provider): somebody else has deleted it.",
                    provider: key.provider, causes: failure.causes)
            }
            guard failure.kind.isTransient, failure.kind != .cancelled else { throw failure }
            return nil
        }
    }

    // MARK: Carrying out

    /// Carries a deletion out now, if the items are as they were.
    ///
    /// - Parameter isForced: also asks an account that counts as offline.
    @discardableResult
    package func carryOut(_ id: String, isForced: Bool) async throws -> Outcome {
        guard let given = try await store.deletion(id) else { return .done }
        return try await locks.withExactLock(on: given.key) {
            guard let deletion = try await self.store.deletion(id) else { return .done }
            return try await self.carryOut(deletion, isForced: isForced, deletes: true)
        }
    }

    /// Finds out whether the items of a deletion were changed; if so, it is given up.
    func check(_ id: String) async throws -> Outcome {
        guard let given = try await store.deletion(id) else { return .done }
        return try await locks.withExactLock(on: given.key) {
            guard let deletion = try await self.store.deletion(id) else { return .done }
            return try await self.carryOut(deletion, isForced: false, deletes: false)
        }
    }

    private func carryOut(
        _ deletion: PendingDeletion, isForced: Bool, deletes: Bool
    ) async throws -> Outcome {
        let look = DeletionLook(store: store, access: access, isForced: isForced)
        do {
            let found = try await look.look(deletion)
            if let verdict = DeletionVerdict(found.finding) { return try await settle(deletion, verdict) }
            guard deletes else {
                try await store.clearSuspicion(deletion.id)
                return .done
            }
            try await look.delete(deletion, found)
            crash(.sent)
            return try await settle(deletion, .done)
        } catch let failure as Failure {
            let verdict = DeletionVerdict(failure)
            // A missing provider does not mean a missing document.
            if verdict != .retry, let obstacle = await access.obstacle(deletion.key.provider) {
                return .waiting(obstacle)
            }
            guard verdict != .retry else { return .waiting(failure) }
            return try await settle(deletion, verdict)
        }
    }

    private func settle(_ deletion: PendingDeletion, _ verdict: DeletionVerdict) async throws -> Outcome {
        guard case .giveUp(let reason) = verdict else {
            try await store.finish(deletion.id)
            forget(deletion.id)
            return .done
        }
        let items = try await index.bringBack(deletion, returnsRights: false, at: clock.date)
        forget(deletion.id)
        announce(items)
        logger.warning(
            "a deletion is not carried out",
            metadata: ["item": "\(deletion.key.identifier)", "name": "\(deletion.name)", "why": "\(reason.text)"])
        try? await audit.recordRefused(
            deletion.principal, deletion.key, .readWrite, reason: "the deletion is not carried out: \(reason.text)",
            at: clock.date)
        return .givenUp
    }

    private func announce(_ items: [RemoteItem]) {
        for item in items { changes.contentChanged(item.key) }
        for folder in Set(items.map { $0.key.sibling($0.description.parent) }) { changes.entriesChanged(folder) }
    }

    func forget(_ id: String) {
        state.withLock { state in
            state.domains[id] = nil
            state.attempts[id] = nil
        }
    }

    // MARK: Attempts

    /// Whether a deletion that failed has to wait before it is tried again.
    func isHeldOff(_ deletion: PendingDeletion) -> Bool {
        guard let attempt = state.withLock({ $0.attempts[deletion.id] }) else { return false }
        let isReady = access.monitor.state(deletion.key.provider, deletion.key.domain) == .ready
        return attempt.next > clock.now && (attempt.wasReady || !isReady)
    }

    /// Records a failed attempt, after which it waits longer each time.
    func failed(_ deletion: PendingDeletion) {
        let isReady = access.monitor.state(deletion.key.provider, deletion.key.domain) == .ready
        state.withLock { state in
            let failures = (state.attempts[deletion.id]?.failures ?? 0) + 1
            let seconds = min(300, 5 << min(failures, 6))
            state.attempts[deletion.id] = Attempt(
                failures: failures, next: clock.now + .seconds(seconds), wasReady: isReady)
        }
    }

    // MARK: Accounts

    /// Gives up the deletions of an account that is signed out or removed. Nothing of it is carried out under another
    /// account.
    ///
    /// - Returns: where the items are that stay at the service.
    package func abandon(_ domain: DomainKey) async throws -> [String] {
        var left: [String] = []
        for given in try await store.all(provider: domain.provider, domain: domain.domain) {
            let isLeft = try await locks.withExactLock(on: given.key) {
                guard try await self.store.deletion(given.id) != nil else { return false }
                try await self.store.abandon(given.id, at: self.clock.date)
                self.forget(given.id)
                return true
            }
            if isLeft { left.append(given.path ?? given.name) }
        }
        if !left.isEmpty {
            logger.warning(
                "deletions are not carried out, because their account is signed out or removed",
                metadata: ["account": "\(domain.name)", "count": "\(left.count)"])
        }
        return left
    }
}
