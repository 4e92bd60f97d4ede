package import Access
import DocentInterfaces
package import ExtensionHosting
import ExtensionManifest
package import HostCore
package import HostServices
import Logging
package import Records
package import RemoteDocuments
package import Rights
package import Saving
package import Storage
import UniformTypes

/// Every service of the host, each made once and given what it needs. It has no lock, no socket and no clients of its
/// own: the daemon serves it to them, and tests use the same one in their own process.
package final class HostAssembly: Sendable {
    package let configuration: DaemonConfiguration
    package let layout: StorageLayout
    package let worker = BlockingWorker()
    package let consents: ProviderConsentStore
    package let registry: ProviderRegistry
    package let supervisor: ExtensionSupervisor
    package let journal: OperationJournal
    package let grantStore: GrantStore
    package let staged: StagedContent
    package let changes: ContentChanges
    package let pending = PendingChanges()
    package let operations = OperationTable()
    package let remote: RemoteAssembly
    package let gateway: DocumentGateway
    package let hierarchy: ItemHierarchy
    package let access: AccessControl
    package let documents: DocumentService
    package let coordination: CoordinationService
    package let packages: PackageService
    package let publisher: Publisher
    package let policies: VersionPolicies
    package let limiter: ChangeLimiter
    package let holds: HoldService
    package let thinner: VersionThinner
    package let packer: VersionPacker
    package let versions: DocumentVersions
    package let versionRules: VersionRuleService
    package let merger: ConflictMerger
    package let writes: WriteService
    package let exports: ExportService
    package let mover: ItemMover
    package let trash: TrashService
    package let actions: ActionService
    package let picker: PickerService
    package let broker: PickBroker
    package let administration: AdministrationService
    package let remoteAdministrator: RemoteAdministrator
    package let domains: DomainService
    package let logouts: LogoutService
    package let logins: LoginService
    package let keyring: KeyringWatch
    package let transfers: TransferService
    package let watch: TransferWatch
    package let log: LogService
    package let why: WhyService
    package let grants: GrantService
    package let rights: RightsKeeper
    package let search: SearchService
    package let recents: RecentService
    package let values: PromisedValues
    package let thumbnails: ThumbnailService
    let follower: ExtensionFollower
    let database: HostDatabase
    let logger: Logger

    /// Assembles the services on a prepared layout. Nothing runs yet.
    package init(_ given: HostEnvironment) async throws {
        let (configuration, layout, worker, logger) = (given.configuration, given.layout, worker, given.logger)
        let clock = given.clock
        let (database, pending, operations, crash) = (given.database, pending, operations, given.crash)
        (self.configuration, self.layout, self.logger, self.database) = (configuration, layout, logger, database)
        let types = TypeCatalogue(system: .system(environment: configuration.environment))
        let consents = ProviderConsentStore(database: database)
        self.consents = consents
        let registry = ProviderRegistry(
            environment: configuration.environment, consents: consents, types: types, inspector: given.inspector)
        self.registry = registry
        let observed = ObservedItems()
        let cache = DocumentCache(capacity: 512)
        let changes = ContentChanges(cache: cache)
        self.changes = changes
        let supervisor = ExtensionSupervisor(
            launcher: ExtensionLauncher(
                starter: given.starter(registry), layout: layout, configuration: configuration,
                secrets: given.secrets, clock: clock),
            consents: consents,
            quotas: ContainerQuotas(layout: layout, ceilings: configuration.providerCeilings, logger: logger),
            observed: observed, changes: changes, logger: logger, clock: clock)
        self.supervisor = supervisor
        let closed = ClosedDomains()
        let grantStore = try await GrantStore(database: database) { clock.date }
        self.grantStore = grantStore
        // After the rights: a new identifier is used only once the rights under it are valid.
        let aliases = ItemAliases(following: database.keyChanges) { changes.moved($0, to: $1) }
        let audit = AuditLog(database: database, retention: configuration.audit) { [logger] error in
            logger.warning("the audit cannot be written; it will be tried again", metadata: ["why": "\(error)"])
        }
        let journal = OperationJournal(database: database)
        self.journal = journal
        let staged = StagedContent(layout: layout, worker: worker, crashPoint: crash)
        self.staged = staged
        let locks = ItemLocks { aliases.current($0) }
        let remote = RemoteAssembly(
            .init(
                configuration: configuration, layout: layout, database: database, worker: worker, registry: registry,
                supervisor: supervisor, journal: journal, staged: staged, locks: locks, changes: changes,
                grants: grantStore, audit: audit, aliases: aliases, types: types,
                consents: consents, closed: closed, logger: logger, crash: crash, clock: clock
            ))
        self.remote = remote
        let gateway = DocumentGateway(
            registry: registry, supervisor: supervisor, layout: layout, worker: worker, types: types, cache: cache,
            pending: pending, reading: remote.reading, describer: remote.describer,
            freshSeconds: remote.settings.freshSeconds, closed: closed, logger: logger, clock: clock)
        self.gateway = gateway
        let hierarchy = ItemHierarchy(types: types, source: gateway)
        self.hierarchy = hierarchy
        let uses = DocumentUses()
        let access = AccessControl(
            grants: grantStore, bookmarks: BookmarkStore(database: database), audit: audit, aliases: aliases,
            hierarchy: hierarchy, dropBoxes: registry.dropBoxes, closed: closed, recents: uses, clock: clock)
        self.access = access
        let minimumFree = UInt64(clamping: remote.settings.minimumFreeBytes)
        let copies = PrivateCopies(limits: given.limits, minimumFree: minimumFree)
        let shares = StagingShares(limits: given.limits, minimumFree: minimumFree, layout: layout)
        let documents = DocumentService(
            gateway: gateway, access: access, layout: layout, worker: worker, usage: remote.reading.usage,
            aliases: aliases, copies: copies, logger: logger)
        self.documents = documents
        let elements = PackageElements(source: gateway, types: types)
        let archiver = PackageArchiver(gateway: gateway, elements: elements, layout: layout, worker: worker)
        let coordination = CoordinationService(
            gateway: gateway, documents: documents, aliases: aliases, changes: changes, observed: observed,
            access: access, hierarchy: hierarchy, layout: layout, copies: copies, worker: worker,
            archiver: { try await archiver.archive($0) },
            presenterDeadline: configuration.presenterDeadline, claimDeadline: configuration.claimDeadline,
            logger: logger, clock: clock)
        self.coordination = coordination
        let policies = VersionPolicies(store: VersionRuleStore(database: database), hierarchy: hierarchy)
        self.policies = policies
        let keeper = VersionKeeper(gateway: gateway, parts: remote.parts, policies: policies, logger: logger)
        let packages = PackageAssembly(
            gateway: gateway, access: access, coordination: coordination, parts: remote.parts,
            elements: elements, kept: remote.kept, keeper: keeper, layout: layout, worker: worker, shares: shares,
            limits: given.limits, logger: logger, clock: clock)
        self.packages = packages.service
        let publisher = Publisher(
            gateway: gateway, journal: journal, staged: staged, locks: locks, changes: changes,
            pending: pending, remote: remote.publisher, superseded: remote.parts.superseded,
            packages: packages.publisher, logger: logger, crash: crash, clock: clock)
        self.publisher = publisher
        thinner = VersionThinner(
            versions: remote.kept, journal: journal, policies: policies, content: remote.parts.superseded,
            layout: layout, worker: worker, logger: logger, clock: clock)
        packer = VersionPacker(
            versions: remote.kept, journal: journal, content: remote.parts.superseded, layout: layout, logger: logger,
            clock: clock)
        let limiter = ChangeLimiter(
            store: HoldStore(database: database), audit: audit,
            fixed: configuration.environment["DOCENT_CHANGE_LIMIT"].flatMap(ChangeLimiter.limit), clock: clock)
        self.limiter = limiter
        holds = HoldService(limiter: limiter, index: remote.index, gateway: gateway)
        let writes = WriteService(
            gateway: gateway, access: access, journal: journal, staged: staged, publisher: publisher,
            operations: operations, coordination: coordination, packages: packages.service, versions: remote.kept,
            keeper: keeper, limiter: limiter,
            noise: NoiseCheck(gateway: gateway, parts: remote.parts, staged: staged, worker: worker),
            shares: shares, resumeSeconds: configuration.resumeSeconds, limits: given.limits,
            clock: clock)
        self.writes = writes
        let driver = PickerDriver(supervisor: supervisor, layout: layout)
        let exports = ExportService(
            gateway: gateway, journal: journal, staged: staged, publisher: publisher, operations: operations,
            driver: driver, coordination: coordination)
        self.exports = exports
        let mover = ItemMover(
            gateway: gateway, access: access, parts: remote.parts, catalog: remote.reading.catalog,
            uploads: remote.uploads, journal: ItemChangeJournal(database: database), coordination: coordination,
            limiter: limiter)
        self.mover = mover
        let can = TrashCan(gateway: gateway, parts: remote.parts, catalog: remote.reading.catalog)
        picker = PickerService(
            registry: registry, gateway: gateway, documents: documents, access: access, driver: driver,
            exports: exports, types: types, mover: mover)
        administration = AdministrationService(
            registry: registry, supervisor: supervisor, gateway: gateway, consents: consents, access: access,
            journal: journal, changes: changes, layout: layout, monitor: remote.monitor,
            bookmarkKey: documents.bookmarks.key,
            ladder: remote.ladder)
        let keptVersions = VersionService(
            versions: remote.kept, content: remote.parts.superseded.kept, worker: worker, changes: changes)
        versions = DocumentVersions(
            service: keptVersions, documents: documents, coordination: coordination, journal: journal, writes: writes,
            packages: packages.service, elements: elements, changes: changes,
            history: ProviderHistory(
                gateway: gateway, parts: remote.parts, catalog: remote.reading.catalog, layout: layout,
                worker: worker))
        let undo = UndoService(
            store: UndoStore(database: database), mover: mover, trash: can, journal: journal, versions: remote.kept
        ) { [access, versions] session, item, version, operation in
            // The user decides, so no right is needed that was given before. This one ends with the client.
            let offer = GrantOffer(access: .readWrite, origin: .open, isPersistent: false, isPersistable: false)
            try await access.grant(session, item.reference.key, GrantTerms.offer(offer, of: item))
            return try await versions.restore(session, item.reference.key, version, operation: operation)
        }
        merger = ConflictMerger(
            service: keptVersions, journal: journal, policies: policies, writes: writes, gateway: gateway,
            hierarchy: hierarchy, states: remote.states, changes: changes, audit: audit, worker: worker,
            logger: logger, clock: clock)
        trash = TrashService(
            registry: registry, gateway: gateway, can: can, undo: undo, mover: mover,
            periods: remote.deletions.periods)
        actions = ActionService(access: remote.access)
        versionRules = VersionRuleService(
            policies: policies, versions: remote.kept, content: remote.parts.superseded, gateway: gateway,
            layout: layout, worker: worker)
        let kept = RemoteAdministrator(
            registry: registry, reading: remote.reading, parts: remote.parts, versions: keptVersions,
            gateway: gateway)
        remoteAdministrator = kept
        let domains = DomainService(
            registry: registry, consents: consents, supervisor: supervisor, access: remote.access,
            credentials: remote.credentials, limits: remote.limits, queue: remote.queue, journal: journal,
            index: remote.index, deletions: remote.deletions, changes: changes, remote: kept, keeper: remote.keeper,
            turns: remote.turns)
        self.domains = domains
        let logouts = LogoutService(
            domains: domains, access: access, writes: writes, keeper: remote.keeper, turns: remote.turns,
            crash: given.signInCrash, logger: logger, clock: clock)
        self.logouts = logouts
        logins = LoginService(
            domains: domains, keeper: remote.keeper, turns: remote.turns, attempts: LoginAttempts(),
            crash: given.signInCrash, resume: { await remote.resume($0) })
        keyring = KeyringWatch(ladder: remote.ladder, monitor: remote.monitor, logouts: logouts, logger: logger)
        transfers = TransferService(
            queue: remote.queue, journal: journal, monitor: remote.monitor, registry: registry,
            resume: { await remote.uploads.resume($0) },
            name: { try? await remote.index.item($0)?.description.name }, clock: clock)
        watch = TransferWatch(
            transfers: transfers, queue: remote.queue, gateway: gateway, index: remote.index, access: access,
            aliases: aliases, news: changes.told)
        let name: @Sendable (ItemKey) async -> String? = { key in
            if let known = hierarchy.name(key) ?? gateway.current(key)?.item.name { return known }
            return try? await remote.index.item(key)?.description.name
        }
        let log = LogService(audit: access.audit, gateway: gateway, name: name)
        self.log = log
        why = WhyService(access: access, gateway: gateway, hierarchy: hierarchy, log: log)
        let grants = GrantService(
            registry: registry, gateway: gateway, access: access, changes: changes, writes: writes, name: name,
            clock: clock)
        self.grants = grants
        rights = RightsKeeper(
            service: grants, access: access, transientSeconds: configuration.transientSeconds, logger: logger,
            clock: clock
        ) { changes.living }
        search = SearchService(
            layout: layout, worker: worker, registry: registry, gateway: gateway, reading: remote.reading,
            index: remote.index, describer: remote.describer, monitor: remote.monitor, access: access,
            aliases: aliases, types: types, limits: given.crawlLimits, logger: logger, clock: clock)
        recents = RecentService(
            store: RecentStore(database: database), uses: uses, registry: registry, gateway: gateway,
            catalog: remote.reading.catalog, index: remote.index, describer: remote.describer, monitor: remote.monitor,
            access: access, aliases: aliases, logger: logger, clock: clock)
        values = PromisedValues(
            registry: registry, gateway: gateway, index: remote.index, describer: remote.describer,
            monitor: remote.monitor, access: access, aliases: aliases)
        thumbnails = ThumbnailService(
            values: values, gateway: gateway, access: access, aliases: aliases, providers: remote.access, types: types,
            store: remote.reading.thumbnails, environment: configuration.environment, worker: worker,
            sandbox: ThumbnailerSandbox(), logger: logger, clock: clock)
        broker = PickBroker(seconds: configuration.pickDeadline, clock: clock)
        let keychain = KeychainService(
            registry: registry, ladder: remote.ladder, groups: KeychainGroupStore(database: database)
        ) { [signIns = remote.access.signIns] in
            try await signIns.save(provider: $0, domain: $1, kind: $2, username: $3, secret: $4)
        }
        follower = ExtensionFollower(
            supervisor: supervisor, coordination: coordination, changes: changes, poller: remote.reading.poller,
            keychain: keychain, logger: logger)
    }
}
