import Access
import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import Foundation
package import HostCore
import HostServices
package import Logging
import Records
import RemoteDocuments
import Rights
import Saving
package import Storage
import UniformTypes
import Varlink

/// The whole daemon. It is created under its lock and runs until it is asked to stop or has nothing to do (D1, D2).
package final class Daemon: Sendable {
    private let configuration: DaemonConfiguration
    private let layout: StorageLayout
    private let lock: InstanceLock
    private let socket: DaemonSocket
    private let database: IsolationDatabase
    private let server: VarlinkServer
    private let sessions: SessionRegistry
    private let registry: ProviderRegistry
    private let supervisor: ExtensionSupervisor
    private let access: AccessControl
    private let writes: WriteService
    private let publisher: Publisher
    private let operations: OperationTable
    private let pending: PendingChanges
    private let control: DaemonControl
    private let remote: RemoteAssembly
    private let domains: DomainService
    private let journal: OperationJournal
    private let coordination: CoordinationService
    private let mover: ItemMover
    private let rights: RightsKeeper
    private let keyring: KeyringWatch
    private let logger: Logger

    /// Makes a daemon. Returns nil if another one holds the lock: there is nothing to do then.
    ///
    /// - Parameters:
    ///   - givenSocket: a listening socket from the service manager.
    ///   - crash: for tests; called after each numbered step of W.
    ///   - signInCrash: for tests; called after each durable step of a login or a logout.
    /// - Throws: ``Failure`` or a storage or database error with the reason.
    package static func make(
        configuration: DaemonConfiguration, givenSocket: CInt?, logger: Logger, crash: @escaping CrashPoint = { _ in },
        signInCrash: @escaping SignInCrashPoint = { _ in }
    ) async throws -> Daemon? {
        let layout = try StorageLayout(environment: configuration.environment)
        try layout.prepare()
        guard let lock = try InstanceLock.acquire(at: layout.dataLockPath) else { return nil }
        return try await Daemon(
            configuration: configuration, layout: layout, lock: lock, givenSocket: givenSocket, logger: logger,
            crash: crash, signInCrash: signInCrash)
    }

    private init(
        configuration: DaemonConfiguration, layout: StorageLayout, lock: InstanceLock, givenSocket: CInt?,
        logger: Logger, crash: @escaping CrashPoint, signInCrash: @escaping SignInCrashPoint
    ) async throws {
        self.configuration = configuration
        self.layout = layout
        self.lock = lock
        // Anything that a provider says may end up in the log.
        let secrets = KnownSecrets(names: KnownSecrets.ownNames(configuration.environment))
        let logger = secrets.redacting(logger)
        self.logger = logger
        socket = try DaemonSocket(layout: layout, given: givenSocket)
        database = try IsolationDatabase(directory: layout.dataDirectory.text)
        let worker = BlockingWorker()
        let types = TypeCatalogue(system: .system(environment: configuration.environment))
        let consents = ProviderConsentStore(database: database)
        registry = ProviderRegistry(environment: configuration.environment, consents: consents, types: types)
        let observed = ObservedItems()
        supervisor = ExtensionSupervisor(
            launcher: ExtensionLauncher(
                starter: SandboxStarter(
                    layout: layout, configuration: configuration, groups: Self.controlGroups(logger)
                ) { [registry] in try await registry.writableFolders() },
                layout: layout, configuration: configuration, secrets: secrets),
            consents: consents,
            quotas: ContainerQuotas(layout: layout, ceilings: configuration.providerCeilings, logger: logger),
            observed: observed, logger: logger)
        let cache = DocumentCache(capacity: 512)
        let changes = ContentChanges(cache: cache)
        pending = PendingChanges()
        operations = OperationTable()
        let aliases = ItemAliases()
        let closed = ClosedDomains()
        let rightsStore = try await GrantStore(database: database)
        let audit = AuditLog(database: database, retention: configuration.audit) { [logger] error in
            logger.warning("the audit cannot be written; it is tried again", metadata: ["why": "\(error)"])
        }
        let journal = OperationJournal(database: database)
        self.journal = journal
        let staged = StagedContent(layout: layout, worker: worker, crashPoint: crash)
        let locks = ItemLocks { aliases.current($0) }
        let remote = RemoteAssembly(
            .init(
                configuration: configuration, layout: layout, database: database, worker: worker, registry: registry,
                supervisor: supervisor, journal: journal, staged: staged, locks: locks, changes: changes,
                grants: rightsStore, audit: audit, aliases: aliases, types: types,
                consents: consents, closed: closed, logger: logger, crash: crash
            ))
        self.remote = remote
        let gateway = DocumentGateway(
            registry: registry, supervisor: supervisor, layout: layout, worker: worker, types: types, cache: cache,
            pending: pending, reading: remote.reading, describer: remote.describer,
            freshSeconds: remote.settings.freshSeconds, closed: closed, logger: logger)
        let hierarchy = ItemHierarchy(types: types) {
            try await gateway.bare($0)
        } list: {
            try await gateway.children(of: $0, path: nil, page: $1)
        }
        access = AccessControl(
            grants: rightsStore, bookmarks: BookmarkStore(database: database), audit: audit, aliases: aliases,
            hierarchy: hierarchy, dropBoxes: registry.dropBoxes, closed: closed)
        let copies = PrivateCopies()
        let documents = DocumentService(
            gateway: gateway, access: access, layout: layout, worker: worker, usage: remote.reading.usage,
            aliases: aliases, copies: copies, logger: logger)
        let elements = PackageElements(gateway: gateway, types: types)
        let archiver = PackageArchiver(gateway: gateway, elements: elements, layout: layout, worker: worker)
        let coordination = CoordinationService(
            gateway: gateway, documents: documents, aliases: aliases, changes: changes, observed: observed,
            access: access, hierarchy: hierarchy, layout: layout, copies: copies, worker: worker,
            archiver: { try await archiver.archive($0) },
            presenterDeadline: configuration.presenterDeadline, claimDeadline: configuration.claimDeadline,
            logger: logger)
        self.coordination = coordination
        let packages = PackageAssembly(
            gateway: gateway, access: access, coordination: coordination, parts: remote.parts,
            elements: elements, kept: remote.kept, layout: layout, worker: worker, logger: logger)
        publisher = Publisher(
            gateway: gateway, journal: journal, staged: staged, locks: locks, changes: changes,
            pending: pending, remote: remote.publisher, packages: packages.publisher, logger: logger, crash: crash)
        writes = WriteService(
            gateway: gateway, access: access, journal: journal, staged: staged, publisher: publisher,
            operations: operations, coordination: coordination, packages: packages.service, versions: remote.kept,
            resumeSeconds: configuration.resumeSeconds)
        let driver = PickerDriver(supervisor: supervisor, layout: layout)
        let exports = ExportService(
            gateway: gateway, journal: journal, staged: staged, publisher: publisher, operations: operations,
            driver: driver, coordination: coordination)
        let mover = ItemMover(
            gateway: gateway, access: access, parts: remote.parts, catalog: remote.reading.catalog,
            uploads: remote.uploads, journal: ItemChangeJournal(database: database), coordination: coordination)
        self.mover = mover
        let picker = PickerService(
            registry: registry, gateway: gateway, documents: documents, access: access, driver: driver,
            exports: exports, types: types, mover: mover)
        let administration = AdministrationService(
            registry: registry, supervisor: supervisor, gateway: gateway, consents: consents, access: access,
            journal: journal, changes: changes, layout: layout, monitor: remote.monitor,
            bookmarkKey: documents.bookmarks.key,
            ladder: remote.ladder)
        let kept = RemoteAdministrator(
            registry: registry, reading: remote.reading, parts: remote.parts,
            versions: VersionService(versions: remote.kept, layout: layout, worker: worker), gateway: gateway)
        domains = DomainService(
            registry: registry, consents: consents, supervisor: supervisor, access: remote.access,
            credentials: remote.credentials, limits: remote.limits, queue: remote.queue, journal: journal,
            index: remote.index, changes: changes, remote: kept, keeper: remote.keeper, turns: remote.turns)
        let logouts = LogoutService(
            domains: domains, access: access, writes: writes, keeper: remote.keeper, turns: remote.turns,
            crash: signInCrash, logger: logger)
        let logins = LoginService(
            domains: domains, keeper: remote.keeper, turns: remote.turns, attempts: LoginAttempts(),
            crash: signInCrash, resume: { await remote.resume($0) })
        keyring = KeyringWatch(ladder: remote.ladder, monitor: remote.monitor, logouts: logouts, logger: logger)
        let transfers = TransferHarness(
            transfers: TransferService(
                queue: remote.queue, journal: journal, monitor: remote.monitor, registry: registry,
                resume: { await remote.uploads.resume($0) },
                name: { try? await remote.index.item($0)?.description.name }),
            domains: domains,
            remote: kept)
        let name: @Sendable (ItemKey) async -> String? = { key in
            if let known = hierarchy.name(key) ?? gateway.current(key)?.item.name { return known }
            return try? await remote.index.item(key)?.description.name
        }
        let log = LogService(audit: access.audit, gateway: gateway, name: name)
        let grants = GrantService(
            registry: registry, gateway: gateway, access: access, changes: changes, writes: writes, name: name)
        let rights = RightsKeeper(
            service: grants, access: access, transientSeconds: configuration.transientSeconds, logger: logger
        ) { changes.living }
        self.rights = rights
        control = DaemonControl(
            layout: layout, supervisor: supervisor, administration: administration,
            isBusy: { [operations, pending, writes, coordination, remote] in
                if operations.count > 0 || pending.count > 0 || writes.isAwaitingClients || coordination.isBusy {
                    return true
                }
                return await remote.isBusy()
            }, logger: logger)
        let broker = PickBroker(seconds: configuration.pickDeadline)
        let picks = PickHarness(broker: broker, picker: picker, writes: writes)
        sessions = SessionRegistry(
            identity: try PeerIdentity(environment: configuration.environment),
            ended: { [writes] session in
                Task { await broker.sessionEnded(session) }
                documents.sessionEnded(session)
                rights.ended(session)
                Self.end(session, writes, layout, worker)
                documents.importsEnded(session)
                // The session is marked as ended by now, so no claim is added after this.
                coordination.sessionEnded(session)
            })
        changes.follow { [sessions] in sessions.sessions }
        var documentsTable = DocumentsHarness.table(
            sessions: sessions, documents: documents, writes: writes, coordination: coordination,
            mover: mover, packages: packages.service,
            serving: Self.serving(configuration, layout))
        picks.add(toDocuments: &documentsTable, sessions)
        let grantHarness = GrantHarness(sessions: sessions, grants: grants, documents: documents)
        grantHarness.add(toDocuments: &documentsTable)
        server = VarlinkServer(
            information: ServiceInformation(
                vendor: "Docent", product: "docentd", version: DaemonControl.version, url: "https://docent.invalid"),
            interfaces: [
                documentsTable,
                PickerHarness.table(sessions: sessions, picker: picker, writes: writes),
                AdministrationHarness.table(
                    administration: administration, control: control, transfers: transfers,
                    claims: ClaimsHarness(coordination: coordination, gateway: gateway), picks: picks,
                    grants: grantHarness, signIn: SignInHarness(logins: logins, logouts: logouts),
                    log: LogHarness(
                        log: log, why: WhyService(access: access, gateway: gateway, hierarchy: hierarchy, log: log))),
            ],
            observer: sessions,
            errorMapper: { FailureMapping.failure($0).callError(interface: DocumentsInterface.name) })
        control.connect(server: server, sessions: sessions)
        let keychain = KeychainService(
            registry: registry, ladder: remote.ladder, groups: KeychainGroupStore(database: database)
        ) { [signIns = remote.access.signIns] in
            try await signIns.save(provider: $0, domain: $1, kind: $2, username: $3, secret: $4)
        }
        await supervisor.observe(
            started: { provider, connection in
                coordination.observers.providerStarted(provider.identifier)
                Task { await ProviderEvents.follow(provider, connection, changes, remote.reading.poller, logger) }
                Task { await ProviderClaims.follow(provider, connection, coordination, logger) }
                Task { await ProviderKeychain.follow(provider, .fileProvider, connection, keychain, logger) }
            },
            stopped: { changes.providerChanged($0) })
        await supervisor.observePickers { provider, connection in
            Task { await ProviderClaims.follow(provider, connection, coordination, logger) }
            Task { await ProviderKeychain.follow(provider, .picker, connection, keychain, logger) }
        }
    }

    private static func serving(_ configuration: DaemonConfiguration, _ layout: StorageLayout) -> Wire.Serving {
        let search = ManifestSearchPath(environment: ManifestEnvironment(variables: configuration.environment))
        return Wire.Serving(
            version: DaemonControl.version, dataDirectory: layout.dataDirectory.text,
            manifests: search.directories.map(\.path))
    }

    /// The session's control groups, if this process may use some.
    private static func controlGroups(_ logger: Logger) -> ControlGroups? {
        do throws(ControlGroups.Unavailable) {
            let groups = try ControlGroups()
            logger.info("providers get control groups", metadata: ["in": "\(groups.directory)"])
            return groups
        } catch {
            logger.info("providers get no control groups", metadata: ["why": "\(error)"])
            return nil
        }
    }

    private static func end(
        _ session: Session, _ writes: WriteService, _ layout: StorageLayout, _ worker: BlockingWorker
    ) {
        let owned = session.end()
        let principal = session.principal
        let token = session.token
        Task {
            await writes.sessionEnded(session, owned.operations)
            guard owned.hasInbox else { return }
            try? await worker.run { _ in
                try Inbox(layout: layout).removeSession(
                    principalKind: principal.kind.rawValue, principal: principal.identifier, session: token)
            }
        }
    }

    // MARK: Running

    /// Recovers, listens, and returns when the daemon has to stop.
    ///
    /// - Parameter ready: called once, when clients can connect.
    package func run(ready: @Sendable () -> Void) async throws {
        await prepare()
        control.noteRunning()
        try socket.open(server)
        ready()
        logger.info("ready", metadata: ["socket": "\(layout.socketPath)"])
        let audit = Task { [access] in await access.audit.run() }
        let upkeep = Task { await self.keepUp() }
        let pruning = Task { [journal, access, logger] in
            await Upkeep(journal: journal, audit: access.audit, logger: logger).run()
        }
        let keeping = Task { [rights] in await rights.run() }
        let transfers = Task { [remote, keyring, coordination] in
            await remote.run(keyring) { coordination.presentedItems }
        }
        mover.run()
        await withTaskGroup { group in
            group.addTask { await self.control.waitForStop() }
            group.addTask { await self.waitForIdleness() }
            await group.next()
            group.cancelAll()
        }
        socket.close(server)
        upkeep.cancel()
        pruning.cancel()
        keeping.cancel()
        transfers.cancel()
        writes.prepareForEnd()
        server.shutdown()
        await supervisor.stopAll()
        audit.cancel()
        try? await access.audit.flush()
        logger.info("ended")
        try? database.close()
    }

    /// Asks a running daemon to stop, as SIGTERM does.
    package func requestStop() { control.requestStop() }

    private func prepare() async {
        // Import copies of sessions that ended with an earlier daemon (C9).
        try? Inbox(layout: layout).removeAll()
        await writes.recoverOpenSessions()
        await remote.prepare()
        await mover.prepare()
        do {
            try await domains.start()
        } catch {
            logger.error("the domains cannot be read", metadata: ["why": "\(error)"])
        }
        // Drop boxes have to be known before the first request (A5).
        _ = await registry.discovered()
        // Recovery may need a provider that hangs, so clients do not wait for it.
        Task { [publisher] in await publisher.rollForward(isAfterRestart: true) }
    }

    private func keepUp() async {
        var round = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(2))
            round += 1
            await supervisor.endChanged()
            await supervisor.stopIdle(after: configuration.extensionIdleSeconds)
            if round % 8 == 0 { await publisher.rollForward() }
        }
    }

    /// Returns once there was no activity for the idle time and no client connected at the last moment (D2).
    private func waitForIdleness() async {
        guard configuration.idleSeconds > 0 else {
            try? await Task.sleep(for: .seconds(1 << 30))
            return
        }
        var idleSince = ContinuousClock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(200))
            var isBusy =
                server.connectionCount > 0 || operations.count > 0 || pending.count > 0 || writes.isAwaitingClients
                || coordination.isBusy
            if !isBusy { isBusy = await remote.isBusy() }
            if isBusy { idleSince = .now }
            guard .now - idleSince > .seconds(configuration.idleSeconds) else { continue }
            socket.close(server)
            guard server.connectionCount > 0 else { return }
            do {
                try socket.open(server)
            } catch {
                logger.error("cannot listen again", metadata: ["why": "\(error)"])
                return
            }
            idleSince = .now
        }
    }
}
