package import Isolation
package import Logging
package import Storage

/// What the writing half of remote documents works with, made once by the daemon.
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
    package var locks: ItemLocks
    package var grants: GrantStore
    package var aliases: ItemAliases
    package var moves: PendingMoves
    package var replaced: ReplacedPackages
    package var usage: DocumentUsage
    package var logger: Logger
    /// For tests, called after each numbered step of W.
    package var crash: CrashPoint

    /// The identifier that a document has now. One that is in use again is never an old name.
    func current(_ key: ItemKey) async throws -> ItemKey {
        if try await index.item(key) != nil { return key }
        return try await index.alias(of: key) ?? key
    }
}
