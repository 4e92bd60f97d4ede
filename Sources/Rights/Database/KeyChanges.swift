package import GRDB
import Synchronization

/// A change of an item's identifier, announced after the commit that recorded it.
package enum KeyChange: Sendable {
    /// An item has a new identifier: it was sent, renamed, or is gone and has that of a ``Tombstone``. `grants` are its
    /// grants under the new identifier.
    case moved(from: ItemKey, to: ItemKey, grants: [Grant])
    /// A former identifier now names another item.
    case reused(ItemKey)
}

/// Keeps tables in memory consistent with the identifiers in the database, in commit order. Thread-safe.
///
/// Observers run on the database's thread: they must be quick and must not query the database.
package final class KeyChanges: Sendable {
    private struct Observer {
        var begin: @Sendable ([KeyChange]) -> Void
        var end: @Sendable ([KeyChange]) -> Void
    }

    private let observers = Mutex<[Observer]>([])

    init() {}

    /// Adds an observer.
    ///
    /// - Parameters:
    ///   - begin: makes rights under the new identifiers valid.
    ///   - end: called after every observer's `begin`; ends rights under the old identifiers.
    package func follow(
        begin: @escaping @Sendable ([KeyChange]) -> Void, end: @escaping @Sendable ([KeyChange]) -> Void = { _ in }
    ) {
        observers.withLock { $0.append(Observer(begin: begin, end: end)) }
    }

    /// Announces changes once the current transaction is committed.
    package func announce(_ changes: [KeyChange], after database: Database) {
        guard !changes.isEmpty else { return }
        database.afterNextTransaction { [self] _ in
            let all = observers.withLock { $0 }
            for observer in all { observer.begin(changes) }
            for observer in all { observer.end(changes) }
        }
    }
}
