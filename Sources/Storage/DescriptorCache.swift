import Synchronization

/// Descriptors that providers gave, one per item version, answered again without asking them (L1).
///
/// Bounded: the least recently used goes first. Thread-safe; the lock is held for dictionary work only, and a descriptor
/// in use stays open though it is dropped meanwhile.
package final class DescriptorCache<Key: Hashable & Sendable, Payload: Sendable>: Sendable {
    /// What is kept of an item.
    package struct Entry: Sendable {
        /// The provider's descriptor, read-only.
        package let descriptor: OpenDescriptor
        /// Which file it is.
        package let identity: FileIdentity
        /// The item's version that it holds.
        package let version: String
        /// What the owner of the cache keeps with it.
        package let payload: Payload
        /// Where the file's name is, if a renamed or replaced file shall be noticed.
        package let place: (directory: Directory, name: FileName)?

        let hasName: Bool

        /// Takes a descriptor that passed `ForeignDescriptor.check`.
        ///
        /// - Parameter hasName: whether the file lies in a directory; it is dropped once it no longer does.
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

    /// Makes a cache of at most `capacity` descriptors.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// How many descriptors are kept.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Keeps a descriptor under the item's key, in place of an earlier version's.
    package func insert(_ entry: Entry, for key: Key) {
        let dropped = state.withLock { state -> Entry? in
            state.clock += 1
            let former = state.entries.updateValue((entry, state.clock), forKey: key)
            guard state.entries.count > capacity,
                let oldest = state.entries.min(by: { $0.value.used < $1.value.used })?.key
            else { return former?.entry }
            return state.entries.removeValue(forKey: oldest)?.entry
        }
        // Closing may block on a slow file system: outside the lock.
        withExtendedLifetime(dropped) {}
    }

    /// Calls `body` with the item's descriptor, or returns nil when there is none that still holds.
    ///
    /// An entry whose file has no name left, or whose name became another file, is dropped.
    ///
    /// - Parameter version: the version wanted; nil takes whichever is kept.
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

    /// Forgets an item's descriptor: the provider said so, or a watch saw a change.
    package func invalidate(_ key: Key) {
        let dropped = state.withLock { $0.entries.removeValue(forKey: key)?.entry }
        withExtendedLifetime(dropped) {}
    }

    /// Forgets everything, as when a provider ends.
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
