package import Rights

/// Who has which document open, and when its provider is notified that it is no longer used (D10). Pure.
///
/// The provider is notified once each time the last user leaves, and never while the content is being fetched (2.10).
package struct UsageTable: Sendable {
    private struct Entry {
        var users: [String: Int] = [:]
        var fetches = 0
        /// Whether it was used since the provider was last notified.
        var isDue = false
    }

    private var entries: [ItemKey: Entry] = [:]

    package init() {}

    /// Records that a session has opened a document once more.
    package mutating func opened(_ key: ItemKey, by session: String) {
        entries[key, default: Entry()].users[session, default: 0] += 1
        entries[key]?.isDue = true
    }

    /// Records that a session no longer uses a document, however often it opened it. A document that it did not use is
    /// ignored.
    ///
    /// - Returns: whether to notify the provider.
    package mutating func closed(_ key: ItemKey, by session: String) -> Bool {
        guard entries[key]?.users.removeValue(forKey: session) != nil else { return false }
        return settle(key)
    }

    /// Records that a session has ended, including by a crash of its client.
    ///
    /// - Returns: the documents whose providers to notify.
    package mutating func ended(_ session: String) -> [ItemKey] {
        let keys = entries.filter { $0.value.users[session] != nil }.map(\.key)
        return keys.filter { key in
            entries[key]?.users[session] = nil
            return settle(key)
        }
    }

    /// Records that a fetch of a document begins.
    package mutating func fetchBegan(_ key: ItemKey) { entries[key, default: Entry()].fetches += 1 }

    /// Records that a fetch has ended, successfully or not.
    ///
    /// - Returns: whether to notify the provider now, because the last user left during the fetch.
    package mutating func fetchEnded(_ key: ItemKey) -> Bool {
        guard let fetches = entries[key]?.fetches, fetches > 0 else { return false }
        entries[key]?.fetches = fetches - 1
        return settle(key)
    }

    /// Records the new identifier of a document.
    package mutating func rekey(_ key: ItemKey, to new: ItemKey) {
        guard key != new, let old = entries.removeValue(forKey: key) else { return }
        var entry = entries[new] ?? Entry()
        entry.users.merge(old.users, uniquingKeysWith: +)
        entry.fetches += old.fetches
        entry.isDue = entry.isDue || old.isDue
        entries[new] = entry
    }

    /// Whether any session has the document open.
    package func isInUse(_ key: ItemKey) -> Bool { entries[key].map { !$0.users.isEmpty } ?? false }

    /// The documents that any session has open.
    package var inUse: [ItemKey] { entries.filter { !$0.value.users.isEmpty }.map(\.key) }

    private mutating func settle(_ key: ItemKey) -> Bool {
        guard let entry = entries[key], entry.users.isEmpty, entry.fetches == 0 else { return false }
        entries[key] = nil
        return entry.isDue
    }
}
