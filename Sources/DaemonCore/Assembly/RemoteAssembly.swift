import DocentInterfaces
import FoundationEssentials
package import HostCore
import HostServices
package import Keyring
import Logging
package import Records
package import RemoteDocuments
import Rights
import Storage
package import Transfers
import Varlink

/// Creates the parts of the host that remote documents need, in the order of their dependencies.
package struct RemoteAssembly: Sendable {
    package let index: ItemIndex
    package let aliases: ItemAliases
    package let states = UploadStates()
    package let monitor: DomainMonitor
    package let limits = DomainTransferLimits()
    package let ladder: CredentialLadder
    package let credentials: CredentialSource
    package let keeper: CredentialKeeper
    package let turns = SignInTurns()
    package let access: ProviderAccess
    package let deletions: PendingDeletions
    package let queue: TransferQueue
    package let settings: RemoteSettings
    package let reading: RemoteReading
    package let conflicts: ConflictKeeper
    package let kept: KeptVersionStore
    package let describer: RemoteDescriber
    package let uploads: RemoteUploads
    package let publisher: RemotePublisher
    package let parts: RemoteParts
    private let journal: OperationJournal
    private let logger: Logger

    init(_ given: RemoteEnvironment) {
        let (layout, worker, registry, logger) = (given.layout, given.worker, given.registry, given.logger)
        let (locks, changes, journal) = (given.locks, given.changes, given.journal)
        self.journal = journal
        self.logger = logger
        aliases = given.aliases
        let index = ItemIndex(database: given.database)
        self.index = index
        settings = RemoteSettings(environment: given.configuration.environment)
        monitor = DomainMonitor(closed: given.closed, clock: given.clock)
        ladder = CredentialLadder(
            environment: given.configuration.environment, dataDirectory: layout.dataDirectory.text)
        credentials = CredentialSource(environment: given.configuration.environment, ladder: ladder)
        keeper = CredentialKeeper(ladder: ladder, source: credentials, logger: logger)
        let access = ProviderAccess(
            registry: registry, supervisor: given.supervisor, monitor: monitor,
            signIns: SignIns(
                source: credentials, keeper: keeper, consents: given.consents, closed: given.closed, turns: turns))
        self.access = access
        deletions = PendingDeletions(given, index: index, access: access)
        queue = TransferQueue(
            limits: limits, domains: monitor, stall: .seconds(given.configuration.providerDeadline), logger: logger,
            clock: given.clock)
        kept = KeptVersionStore(database: given.database)
        let places = ItemPlaces(layout: layout, registry: registry, worker: worker)
        let superseded = SupersededContent(layout: layout, worker: worker, journal: journal, logger: logger)
        conflicts = ConflictKeeper(
            layout: layout, worker: worker, journal: journal, index: index, versions: kept, places: places,
            replaced: ReplacedCopies(places: places, superseded: superseded, versions: kept, journal: journal),
            states: states, changes: changes, logger: logger)
        reading = RemoteReading(
            given, index: index, access: access, queue: queue, places: places, states: states, conflicts: conflicts,
            settings: settings)
        describer = RemoteDescriber(states: states, versions: kept, types: given.types)
        parts = RemoteParts(
            index: index, journal: journal, access: access, queue: queue, staged: given.staged, places: places,
            local: reading.local, states: states, changes: changes, conflicts: conflicts,
            superseded: superseded, locks: locks,
            grants: given.grants, aliases: aliases, moves: reading.catalog.moves, deletions: deletions,
            replaced: reading.catalog.replaced, usage: reading.usage, logger: logger, crash: given.crash)
        uploads = RemoteUploads(parts)
        publisher = RemotePublisher(parts)
    }

    /// Loads what an earlier daemon left, before any client is served.
    func prepare() async {
        do {
            try await deletions.load()
            for (key, now) in try await index.aliases() where key.identifier.hasPrefix(".docent-new-") {
                aliases.add(key, now: now)
            }
            for sent in try await index.sentVersions() { states.confirmed(sent) }
            for row in try await journal.unsent(provider: nil, domain: nil) {
                guard let key = row.itemKey else { continue }
                let failed = row.state == .failed
                // The provider may already have it; only sending it again will show.
                if row.kind == .package, !failed { parts.replaced.begin(row.id, of: key) }
                if failed || states.state(of: key) == nil {
                    states.set(failed ? .failed(row.reason ?? "it failed") : .queued, of: key)
                }
            }
            try await reading.sweep(index)
        } catch {
            logger.error("cannot read what an earlier daemon left behind", metadata: ["why": "\(error)"])
        }
    }

    /// Resumes what an earlier daemon left and watches for changes, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - keyring: resumes what is waiting for a keyring.
    ///   - presented: the remote items that clients present.
    func run(_ keyring: KeyringWatch, presented: @escaping @Sendable () -> Set<ItemKey>) async {
        await uploads.enqueueAll()
        await withTaskGroup { group in
            group.addTask { await keyring.run() }
            group.addTask { await deletions.run() }
            group.addTask { await reading.poller.run(presented: presented) }
        }
    }

    /// Queues the unsent changes of a domain.
    func resume(_ domain: DomainKey) async {
        for row in (try? await journal.unsent(provider: domain.provider, domain: domain.domain)) ?? [] {
            await uploads.resume(row)
        }
    }

    /// Whether there is work that would be lost or delayed if the daemon exited.
    func isBusy() async -> Bool {
        if states.pendingCount > 0 || credentials.holdsSecrets || monitor.closed.isAnyGoing { return true }
        if deletions.isBusy { return true }
        if await queue.count > 0 { return true }
        return await reading.poller.hasPins()
    }
}
