package import Coordination
package import DocentInterfaces
package import ExtensionHosting
package import HostCore
package import Logging
package import RemoteDocuments
package import Rights
package import Storage
import Synchronization
import Transfers

/// Coordinates access to items: who may read and write which item when, and who is notified (SEMANTICS 2).
///
/// `Coordination` makes the decisions; this class carries them out. Thread-safe. No lock is held across a wait.
package final class CoordinationService: Sendable {
    /// Makes a zip file of a folder, for reading with `forUploading`.
    package typealias Archiver = @Sendable (ItemKey) async throws -> OpenDescriptor

    let gateway: DocumentGateway
    let documents: any ClaimedDocuments
    let aliases: ItemAliases
    let access: AccessControl
    /// The known locations of items.
    package let hierarchy: ItemHierarchy
    let layout: StorageLayout
    let copies: PrivateCopies
    let worker: BlockingWorker
    let words: CoordinationWords
    let observers: ItemObservers
    /// Reports a change that no provider reported.
    let contentChanged: @Sendable (ItemKey) -> Void
    /// Tells searches what the changes inside claims were.
    let indexed: IndexNews
    let logger: Logger
    let clock: any HostClock
    /// How long a presenter has to answer, in seconds.
    let presenterDeadline: Double
    /// How long a client's claim waits for its turn and for presenters unless it states a time, in seconds (law 5).
    let claimDeadline: Double
    let archiver: Archiver
    let looks = ItemLooks()
    private let state: Mutex<CoordinationTable>

    package init(
        gateway: DocumentGateway, documents: any ClaimedDocuments, aliases: ItemAliases, changes: ContentChanges,
        observed: ObservedItems, access: AccessControl,
        hierarchy: ItemHierarchy, layout: StorageLayout, copies: PrivateCopies, worker: BlockingWorker,
        archiver: @escaping Archiver, presenterDeadline: Double, claimDeadline: Double, logger: Logger,
        clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.gateway = gateway
        self.documents = documents
        self.aliases = aliases
        self.archiver = archiver
        self.access = access
        self.hierarchy = hierarchy
        self.layout = layout
        self.copies = copies
        self.worker = worker
        self.presenterDeadline = presenterDeadline
        self.claimDeadline = claimDeadline
        self.logger = logger
        let words = CoordinationWords(hierarchy: hierarchy)
        self.words = words
        observers = ItemObservers(gateway: gateway, observed: observed)
        indexed = changes.indexed
        contentChanged = { [weak changes] in changes?.contentChanged($0) }
        state = Mutex(CoordinationTable(deadline: presenterDeadline, words: words))
        changes.follow(self)
    }

    /// Whether there are any claims or presenters. The daemon must not exit as idle then (D2).
    package var isBusy: Bool { state.withLock { !$0.isEmpty } }

    // MARK: The table

    /// Reads the table, or changes parts of it that the engine does not see.
    func withTable<Result: Sendable>(_ body: (inout CoordinationTable) -> Result) -> Result {
        state.withLock { table in body(&table) }
    }

    /// Changes the table and carries out the resulting actions.
    func change(_ body: (inout CoordinationTable) -> [CoordinationTable.Action]) {
        let actions = state.withLock { table in body(&table) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: CoordinationTable.Action) {
        switch action {
        case .settle(let wait, let outcome): wait.settle(outcome)
        case .cancel(let task): task.cancel()
        case .provide(let id): provide(id)
        case .startDeadline(let message): startDeadline(message)
        case .look(let keys): for key in keys { look(key) }
        }
    }

    // MARK: Deadlines of presenters

    private func startDeadline(_ id: PresenterMessage.Identifier) {
        let timer = Task { [weak self, presenterDeadline, clock] in
            do { try await clock.sleep(for: .seconds(presenterDeadline)) } catch { return }
            self?.deadlinePassed(id)
        }
        if !withTable({ $0.setTimer(timer, of: id) }) { timer.cancel() }
    }

    private func deadlinePassed(_ id: PresenterMessage.Identifier) {
        let silent = withTable { table -> (who: String, kind: String, isImplicit: Bool)? in
            guard let asked = table.asked[id], let presenter = table.presenters[asked.presenter] else { return nil }
            return ("\(presenter.name) of \(presenter.party.words)", asked.kind, asked.isImplicit)
        }
        guard let silent else { return }
        logger.warning(
            "a presenter did not answer in time",
            metadata: ["presenter": "\(silent.who)", "message": "\(silent.kind)"])
        // A client's committed change must not be lost because a presenter does not answer.
        change { $0.answer(id, silent.isImplicit ? .answered(id, error: nil) : .deadlinePassed(id)) }
    }

    // MARK: Fetching (2.3, 2.8)

    private func provide(_ id: Claim.Identifier) {
        let needs = withTable { table in
            // A change that brings its own content needs none of the old, and no provider may delay it (law 6).
            table.claims[id]?.isImplicit == true
                ? [] : table.engine.claim(id)?.accesses.map { (key: $0.location.item.item, need: $0.need) } ?? []
        }
        // Content that is already local needs no task, which saves the waiting claim two hops.
        if needs.allSatisfy({ $0.need == .nothing || ($0.need == .content && gateway.current($0.key) != nil) }) {
            return change { $0.handle(.provided(id)) }
        }
        let cause = withTable { table in table.claims[id].map(DownloadCause.init(claim:)) }
        let task = Task { [self] in
            do {
                for (key, need) in needs {
                    switch need {
                    case .nothing: break
                    case .placeholder: _ = try await gateway.item(key)
                    case .content:
                        _ = try await DownloadCause.$current.withValue(cause) {
                            try await gateway.content(key) { [weak self] progress in self?.note(progress, of: id) }
                        }
                    }
                }
                change { $0.handle(.provided(id)) }
            } catch {
                let failure = FailureMapping.failure(error)
                change { table in
                    table.change(id) { $0.failure = failure }
                    return table.handle(.provideFailed(id, failure.message))
                }
            }
        }
        let isWanted = withTable { $0.change(id) { $0.provision = task } != nil }
        if !isWanted { task.cancel() }
    }

    private func note(_ progress: TransferSnapshot, of id: Claim.Identifier) {
        _ = withTable {
            $0.change(id) { entry in
                entry.completedBytes = progress.completed
                entry.totalBytes = progress.total
            }
        }
    }

    // MARK: Ending claims

    /// Called when a session has ended, including by a crash of its client. Its claims and presenters end immediately.
    package func sessionEnded(_ session: Session) { ended(Claim.Owner(rawValue: session.number)) }

    /// Ends the claims and presenters of an owner.
    package func ended(_ owner: Claim.Owner) {
        var items: [CoordinatedItem] = []
        change { table in
            items = table.presenters.values.filter { $0.party.owner == owner }.map(\.observed)
            return table.end(owner)
        }
        for item in items { observers.remove(item) }
    }

    /// Releases a held claim and notifies presenters of its changes. Does nothing if the claim has already ended.
    package func release(_ id: Claim.Identifier) { change { $0.release(id) } }

    /// Cancels a waiting claim (2.8).
    ///
    /// - Parameter failure: the error for the waiting caller; if nil, `Cancelled`.
    package func cancel(_ id: Claim.Identifier, _ failure: Failure? = nil) {
        change { table in
            table.change(id) { entry in if let failure, !entry.isHeld { entry.failure = failure } }
            return table.handle(.cancelled(id))
        }
    }
}
