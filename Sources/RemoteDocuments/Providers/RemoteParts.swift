package import HostCore
package import Logging
package import Records
package import Rights
package import Storage
package import Transfers

/// The parts that the writing half of remote documents works with. The daemon makes them once.
package struct RemoteParts: Sendable {
    package var index: ItemIndex
    package var journal: OperationJournal
    package var access: ProviderAccess
    package var queue: TransferQueue
    package var staged: StagedContent
    package var places: ItemPlaces
    package var local: LocalStore
    package var states: UploadStates
    package var changes: ContentChanges
    package var conflicts: ConflictKeeper
    package var superseded: SupersededContent
    package var locks: ItemLocks
    package var grants: GrantStore
    package var aliases: ItemAliases
    package var moves: PendingMoves
    /// What was deleted here and is still at its provider.
    package var deletions: PendingDeletions
    package var replaced: ReplacedPackages
    package var usage: DocumentUsage
    package var logger: Logger
    /// Called after each numbered step of W, for tests.
    package var crash: CrashPoint

    /// Creates the parts.
    package init(
        index: ItemIndex, journal: OperationJournal, access: ProviderAccess, queue: TransferQueue,
        staged: StagedContent, places: ItemPlaces, local: LocalStore, states: UploadStates, changes: ContentChanges,
        conflicts: ConflictKeeper, superseded: SupersededContent, locks: ItemLocks, grants: GrantStore,
        aliases: ItemAliases, moves: PendingMoves, deletions: PendingDeletions,
        replaced: ReplacedPackages, usage: DocumentUsage, logger: Logger, crash: @escaping CrashPoint
    ) {
        self.index = index
        self.journal = journal
        self.access = access
        self.queue = queue
        self.staged = staged
        self.places = places
        self.local = local
        self.states = states
        self.changes = changes
        self.conflicts = conflicts
        self.superseded = superseded
        self.locks = locks
        self.grants = grants
        self.aliases = aliases
        self.moves = moves
        self.deletions = deletions
        self.replaced = replaced
        self.usage = usage
        self.logger = logger
        self.crash = crash
    }

    /// Whether the index has a document or folder, also under a later identifier. It has remote ones only.
    package func knows(_ key: ItemKey) async throws -> Bool {
        if try await index.item(key) != nil { return true }
        return try await index.alias(of: key) != nil
    }

    /// The current identifier of a document. An identifier that is in use again is not treated as a former one.
    package func current(_ key: ItemKey) async throws -> ItemKey {
        if try await index.item(key) != nil { return key }
        return try await index.alias(of: key) ?? key
    }
}
