package import Rights

/// Who has which document open, and when its provider is told that nobody has any more (D10). Pure.
///
/// The provider is told once for each time that the last user went, never while its content is being fetched (2.10).
package struct UsageTable: Sendable {
    private struct Entry {
        var users: [String: Int] = [:]
        var fetches = 0
        /// Somebody used it since the provider was told last.
        var isDue = false
    }

    private var entries: [ItemKey: Entry] = [:]

    package init() {}

    /// A session has opened a document once more.
    package mutating func opened(_ key: ItemKey, by session: String) {
        entries[key, default: Entry()].users[session, default: 0] += 1
        entries[key]?.isDue = true
    }

    /// A session does not use a document any more, however often it opened it; one that it did not use is nothing.
    ///
    /// - Returns: whether the provider is to be told.
    package mutating func closed(_ key: ItemKey, by session: String) -> Bool {
        guard entries[key]?.users.removeValue(forKey: session) != nil else { return false }
        return settle(key)
    }

    /// A session has ended, also by the crash of its client.
    ///
    /// - Returns: the documents whose providers are to be told.
    package mutating func ended(_ session: String) -> [ItemKey] {
        let keys = entries.filter { $0.value.users[session] != nil }.map(\.key)
        return keys.filter { key in
            entries[key]?.users[session] = nil
            return settle(key)
        }
    }

    /// The content of a document begins to be fetched.
    package mutating func fetchBegan(_ key: ItemKey) { entries[key, default: Entry()].fetches += 1 }

    /// A fetch has ended, however it did.
    ///
    /// - Returns: whether the provider is to be told now: its last user went meanwhile.
    package mutating func fetchEnded(_ key: ItemKey) -> Bool {
        guard let fetches = entries[key]?.fetches, fetches > 0 else { return false }
        entries[key]?.fetches = fetches - 1
        return settle(key)
    }

    /// A document has another identifier now.
    package mutating func rekey(_ key: ItemKey, to new: ItemKey) {
        guard key != new, let old = entries.removeValue(forKey: key) else { return }
        var entry = entries[new] ?? Entry()
        entry.users.merge(old.users, uniquingKeysWith: +)
        entry.fetches += old.fetches
        entry.isDue = entry.isDue || old.isDue
        entries[new] = entry
    }

    /// Whether anybody has the document open.
    package func isInUse(_ key: ItemKey) -> Bool { entries[key].map { !$0.users.isEmpty } ?? false }

    /// The documents that somebody has open.
    package var inUse: [ItemKey] { entries.filter { !$0.value.users.isEmpty }.map(\.key) }

    private mutating func settle(_ key: ItemKey) -> Bool {
        guard let entry = entries[key], entry.users.isEmpty, entry.fetches == 0 else { return false }
        entries[key] = nil
        return entry.isDue
    }
}
