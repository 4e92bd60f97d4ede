import Synchronization

/// Descriptors that providers supplied, one for each item version, reused without asking the provider again.
///
/// Bounded: the least recently used is dropped first. Thread-safe; the lock is held for dictionary work only. A
/// descriptor in use stays open even if it is dropped in the meantime.
package final class DescriptorCache<Key: Hashable & Sendable, Payload: Sendable>: Sendable {
    /// The cached data of an item.
    package struct Entry: Sendable {
        /// The provider's descriptor, read-only.
        package let descriptor: OpenDescriptor
        /// The identity of the file.
        package let identity: FileIdentity
        /// The item's version that it holds.
        package let version: String
        /// Data of the cache's owner.
        package let payload: Payload
        /// Where the file's name is, if renaming or replacing the file should be noticed.
        package let place: (directory: Directory, name: FileName)?

        let hasName: Bool

        /// Takes a descriptor that passed `ForeignDescriptor.check`.
        ///
        /// - Parameter hasName: whether the file is linked in a directory; the entry is dropped once it no longer is.
        package init(
            descriptor: OpenDescriptor, version: String, payload: Payload, hasName: Bool = true,
            place: (directory: Directory, name: FileName)? = nil
        ) throws {
            self.descriptor = descriptor
            self.identity = try FileStatus(of: descriptor.number).identity
            self.version = version
            self.payload = payload
            self.hasName = hasName
            self.place = place
        }

        var isCurrent: Bool {
            guard let status = try? FileStatus(of: descriptor.number), status.links > 0 || !hasName else {
                return false
            }
            guard let place else { return true }
            return (try? place.directory.status(of: place.name))?.identity == identity
        }
    }

    private struct State {
        var entries: [Key: (entry: Entry, used: UInt64)] = [:]
        var clock: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// Creates a cache of at most `capacity` descriptors.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// The number of cached descriptors.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Stores a descriptor under the item's key, replacing that of an earlier version.
    package func insert(_ entry: Entry, for key: Key) {
        let dropped = state.withLock { state -> Entry? in
            state.clock += 1
            let former = state.entries.updateValue((entry, state.clock), forKey: key)
            guard state.entries.count > capacity,
                let oldest = state.entries.min(by: { $0.value.used < $1.value.used })?.key
            else { return former?.entry }
            return state.entries.removeValue(forKey: oldest)?.entry
        }
        // Outside the lock: closing may block on a slow file system.
        withExtendedLifetime(dropped) {}
    }

    /// Calls `body` with the item's descriptor, or returns nil when there is no valid one.
    ///
    /// An entry is dropped when its file has no name left, or when its name belongs to another file.
    ///
    /// - Parameter version: the wanted version; nil accepts any.
    package func withDescriptor<Result>(
        for key: Key, version: String? = nil, _ body: (borrowing Entry) throws -> Result
    ) rethrows -> Result? {
        let found = state.withLock { state -> Entry? in
            guard let entry = state.entries[key]?.entry else { return nil }
            state.clock += 1
            state.entries[key]?.used = state.clock
            return entry
        }
        guard let found, version == nil || version == found.version else { return nil }
        guard found.isCurrent else {
            drop(key, ifStill: found)
            return nil
        }
        return try body(found)
    }

    /// Drops an item's descriptor: its provider reported a change, or a watch saw one.
    package func invalidate(_ key: Key) {
        let dropped = state.withLock { $0.entries.removeValue(forKey: key)?.entry }
        withExtendedLifetime(dropped) {}
    }

    /// Drops all matching entries, for example when a provider ends.
    package func invalidateAll(where matches: (Key) -> Bool = { _ in true }) {
        let dropped = state.withLock { state -> [Entry] in
            let keys = state.entries.keys.filter(matches)
            return keys.compactMap { state.entries.removeValue(forKey: $0)?.entry }
        }
        withExtendedLifetime(dropped) {}
    }

    private func drop(_ key: Key, ifStill entry: Entry) {
        let dropped = state.withLock { state -> Entry? in
            guard state.entries[key]?.entry.descriptor === entry.descriptor else { return nil }
            return state.entries.removeValue(forKey: key)?.entry
        }
        withExtendedLifetime(dropped) {}
    }
}
