package import Coordination
package import DocentInterfaces
package import ExtensionHosting
package import HostCore
package import Logging
import Records
package import RemoteDocuments
package import Rights
package import Storage
import Synchronization
import Transfers

/// The coordination of the house: who may read and write which item when, and who is told (SEMANTICS 2).
///
/// The decisions are those of `Coordination`; this carries them out. Thread-safe; no lock is held while anything is
/// waited for.
package final class CoordinationService: Sendable {
    /// Makes a zip file of a folder, for reading it forUploading.
    package typealias Archiver = @Sendable (Rights.ItemKey) async throws -> OpenDescriptor

    let gateway: DocumentGateway
    let documents: any ClaimedDocuments
    let aliases: ItemAliases
    let access: AccessControl
    /// Knows where items lie.
    package let hierarchy: ItemHierarchy
    let layout: StorageLayout
    let copies: PrivateCopies
    let worker: BlockingWorker
    let words: CoordinationWords
    package let observers: ItemObservers
    let logger: Logger
    /// Seconds that a presenter has for an answer.
    let presenterDeadline: Double
    /// Seconds that a claim of a client waits for its turn and for presenters where it does not say how long (law 5).
    let claimDeadline: Double
    let archiver: Archiver
    let looks = ItemLooks()
    private let state: Mutex<CoordinationTable>

    package init(
        gateway: DocumentGateway, documents: any ClaimedDocuments, aliases: ItemAliases, changes: ContentChanges,
        observed: ObservedItems, access: AccessControl,
        hierarchy: ItemHierarchy, layout: StorageLayout, copies: PrivateCopies, worker: BlockingWorker,
        archiver: @escaping Archiver, presenterDeadline: Double, claimDeadline: Double, logger: Logger
    ) {
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
        state = Mutex(CoordinationTable(deadline: presenterDeadline, words: words))
        changes.follow(self)
        aliases.follow { [weak self] old, new in
            // Rights to what is gone lie under a tombstone; the document has not moved there.
            if !Tombstone.isOne(new.identifier) { self?.moved(old, to: new) }
        }
    }

    /// Whether anybody claims or presents anything: the daemon must not leave as idle then (D2).
    package var isBusy: Bool { state.withLock { !$0.isEmpty } }

    // MARK: The table

    /// Looks at the table, or changes what the engine does not know of.
    func withTable<Result: Sendable>(_ body: (inout CoordinationTable) -> Result) -> Result {
        state.withLock { table in body(&table) }
    }

    /// Changes the table and does what follows from it.
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
        let timer = Task { [weak self, presenterDeadline] in
            do { try await Task.sleep(for: .seconds(presenterDeadline)) } catch { return }
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
        // What a client has committed must not be lost to somebody else's silence.
        change { $0.answer(id, silent.isImplicit ? .answered(id, error: nil) : .deadlinePassed(id)) }
    }

    // MARK: Fetching (2.3, 2.8)

    private func provide(_ id: Claim.Identifier) {
        let needs = withTable { table in
            // A change that has its content needs none of what is there, and no provider holds it back (law 6).
            table.claims[id]?.isImplicit == true
                ? [] : table.engine.claim(id)?.accesses.map { (key: $0.location.item.item, need: $0.need) } ?? []
        }
        // Who hands over to a waiting claim spares it two hops.
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

    // MARK: Ends

    /// A session has ended, also by the crash of its client: its claims and presenters end at once.
    package func sessionEnded(_ session: Session) { ended(Claim.Owner(rawValue: session.number)) }

    /// The same of any owner.
    package func ended(_ owner: Claim.Owner) {
        let items = withTable { table in
            table.presenters.values.filter { $0.party.owner == owner }.map(\.observed)
        }
        change { $0.end(owner) }
        for item in items { observers.remove(item) }
    }

    /// Ends a held claim; what it changed is told to presenters. Nothing happens for one that has ended.
    package func release(_ id: Claim.Identifier) { change { $0.release(id) } }

    /// Gives up a claim that waits (2.8).
    ///
    /// - Parameter failure: what its maker is told; nil: that it was cancelled.
    package func cancel(_ id: Claim.Identifier, _ failure: Failure? = nil) {
        change { table in
            table.change(id) { entry in if let failure, !entry.isHeld { entry.failure = failure } }
            return table.handle(.cancelled(id))
        }
    }
}
