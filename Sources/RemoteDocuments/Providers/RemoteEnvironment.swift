package import ExtensionHosting
package import HostCore
package import Logging
package import Records
package import Rights
package import Storage

/// The host's components that the remote documents are built on.
package struct RemoteEnvironment: Sendable {
    /// The daemon's configuration.
    package let configuration: DaemonConfiguration
    /// The layout of the storage on disk.
    package let layout: StorageLayout
    /// The database.
    package let database: HostDatabase
    /// Runs blocking work.
    package let worker: BlockingWorker
    /// The installed providers.
    package let registry: ProviderRegistry
    /// Starts and calls the extensions.
    package let supervisor: ExtensionSupervisor
    /// The operations that must survive a crash.
    package let journal: OperationJournal
    /// The content that waits to be sent.
    package let staged: StagedContent
    /// The locks of single items.
    package let locks: ItemLocks
    /// Reports changes of content.
    package let changes: ContentChanges
    /// The rights of clients.
    package let grants: GrantStore
    let audit: AuditLog
    /// The former identifiers of documents.
    package let aliases: ItemAliases
    /// The types of documents.
    package let types: TypeCatalogue
    /// What the user decided about providers.
    package let consents: ProviderConsentStore
    /// The signed-out domains.
    package let closed: ClosedDomains
    /// Writes the log.
    package let logger: Logger
    /// Called after each numbered step of a write, for tests.
    package let crash: CrashPoint
    /// The time.
    package let clock: any HostClock

    package init(
        configuration: DaemonConfiguration, layout: StorageLayout, database: HostDatabase, worker: BlockingWorker,
        registry: ProviderRegistry, supervisor: ExtensionSupervisor, journal: OperationJournal, staged: StagedContent,
        locks: ItemLocks, changes: ContentChanges, grants: GrantStore, audit: AuditLog, aliases: ItemAliases,
        types: TypeCatalogue, consents: ProviderConsentStore, closed: ClosedDomains, logger: Logger,
        crash: @escaping CrashPoint, clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
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
