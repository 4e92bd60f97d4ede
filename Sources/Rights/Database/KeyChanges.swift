package import GRDB
import Synchronization

/// What became of an item's identifier, told after the commit that recorded it.
package enum KeyChange: Sendable {
    /// An item has another identifier: it was sent, renamed, or is gone and has a ``Tombstone``'s. `grants` are those
    /// that it has under the new one.
    case moved(from: ItemKey, to: ItemKey, grants: [Grant])
    /// A former identifier names another item now.
    case reused(ItemKey)
}

/// Lets tables in memory follow the identifiers in the database, in the order of the commits. Thread-safe.
///
/// Observers run on the database's thread: they must be quick and must not ask it.
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
    ///   - begin: what is right under the new identifiers becomes so.
    ///   - end: called after every observer's `begin`; what was right under the old ones ends.
    package func follow(
        begin: @escaping @Sendable ([KeyChange]) -> Void, end: @escaping @Sendable ([KeyChange]) -> Void = { _ in }
    ) {
        observers.withLock { $0.append(Observer(begin: begin, end: end)) }
    }

    /// Tells changes once the transaction that runs is committed.
    package func announce(_ changes: [KeyChange], after database: Database) {
        guard !changes.isEmpty else { return }
        database.afterNextTransaction { [self] _ in
            let all = observers.withLock { $0 }
            for observer in all { observer.begin(changes) }
            for observer in all { observer.end(changes) }
        }
    }
}
