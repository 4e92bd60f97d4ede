package import Isolation
package import Logging
package import Storage

/// The parts of the host that exist before those of remote documents are made.
package struct RemoteEnvironment: Sendable {
    let configuration: DaemonConfiguration
    let layout: StorageLayout
    let database: IsolationDatabase
    let worker: BlockingWorker
    let registry: ProviderRegistry
    let supervisor: ExtensionSupervisor
    let journal: OperationJournal
    let staged: StagedContent
    let locks: ItemLocks
    let changes: ContentChanges
    let grants: GrantStore
    let audit: AuditLog
    let aliases: ItemAliases
    let types: TypeCatalogue
    let consents: ProviderConsentStore
    let closed: ClosedDomains
    let logger: Logger
    let crash: CrashPoint

    package init(
        configuration: DaemonConfiguration, layout: StorageLayout, database: IsolationDatabase,
        worker:
            BlockingWorker, registry: ProviderRegistry, supervisor: ExtensionSupervisor, journal: OperationJournal,
        staged: StagedContent, locks: ItemLocks, changes: ContentChanges, grants: GrantStore, audit: AuditLog,
        aliases: ItemAliases, types: TypeCatalogue, consents: ProviderConsentStore, closed: ClosedDomains,
        logger:
            Logger, crash: @escaping CrashPoint
    ) {
        self.configuration = configuration
        self.layout = layout
        self.database = database
        self.worker = worker
        self.registry = registry
        self.supervisor = supervisor
        self.journal = journal
        self.staged = staged
        self.locks = locks
        self.changes = changes
        self.grants = grants
        self.audit = audit
        self.aliases = aliases
        self.types = types
        self.consents = consents
        self.closed = closed
        self.logger = logger
        self.crash = crash
    }
}
