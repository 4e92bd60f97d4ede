import GRDB
import Synchronization

/// Counts the changes of what ``ProviderConsentStore`` stores about providers, so that what was read can be kept in
/// memory until something changes. Thread-safe.
///
/// A change is counted before the call that made it returns. Read ``current`` before you read the database: what was
/// read is then at least as new as that number.
final class ConsentRevision: TransactionObserver, Sendable {
    private static let tables: Set<String> = [
        "provider", "provider_agreement", "provider_group", "group_member", "domain", "quarantine",
    ]

    private struct State {
        var current: UInt64 = 0
        var isChanged = false
    }

    private let state = Mutex(State())

    init() {}

    /// The number of changes so far, of this process.
    var current: UInt64 { state.withLock { $0.current } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        Self.tables.contains(eventKind.tableName)
    }

    func databaseDidChange(with event: DatabaseEvent) { state.withLock { $0.isChanged = true } }

    func databaseDidCommit(_ database: Database) {
        state.withLock {
            if $0.isChanged { $0.current += 1 }
            $0.isChanged = false
        }
    }

    func databaseDidRollback(_ database: Database) { state.withLock { $0.isChanged = false } }
}
