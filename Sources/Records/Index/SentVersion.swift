package import FoundationEssentials
import GRDB
package import Rights

/// A provider's version that was saved here: a client that knows it under its former name has the same content (HAZARDS
/// 5).
package struct SentVersion: Hashable, Sendable {
    /// The document.
    package var key: ItemKey
    /// The provider's name for the version.
    package var version: String
    /// The local name until the provider had it.
    package var former: String

    /// Creates one.
    package init(key: ItemKey, version: String, former: String) {
        self.key = key
        self.version = version
        self.former = former
    }
}

extension ItemIndex {
    /// The number of remembered versions: the latest of each document.
    package static let sentVersionLimit = 20_000

    /// Records atomically that a provider has content saved here: its description, that the local copy holds this
    /// content, and the former version name. Durable.
    ///
    /// - Parameters:
    ///   - key: the item whose provider and domain the description belongs to.
    ///   - former: the local version name; nil when the description has no version, or nothing is to be remembered.
    ///   - copy: the local version of the copy that has that content; any other copy stays unchanged.
    /// - Returns: the updated item; nil when the description cannot be stored.
    @discardableResult
    package func confirm(
        _ description: ItemDescription, of key: ItemKey, former: String?, copy: String?, at moment: Date = .now
    ) async throws -> RemoteItem? {
        try await database.write { [hub = database.keyChanges] database in
            var changes: [KeyChange] = []
            let taken = try Self.takeIn(
                database, [description], provider: key.provider, domain: key.domain, at: moment, &changes)
            hub.announce(changes, after: database)
            guard var item = taken.first?.item else { return nil }
            if let copy, (item.local?.version).isSame(as: copy) {
                item.local?.version = description.version
                try Self.setLocal(database, item.key, item.local)
            }
            if let version = description.version, let former {
                try Self.note(
                    database, SentVersion(key: item.key, version: version, former: former), at: moment)
            }
            return item
        }
    }

    private static func note(_ database: Database, _ sent: SentVersion, at moment: Date) throws {
        let key = sent.key
        guard key.isStorable, sent.version.isStorable, sent.former.isStorable else { return }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO sent_version (provider, domain, item, version, former, at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [key.provider, key.domain, key.identifier, sent.version, sent.former, moment.milliseconds])
    }

    /// The latest sent versions, oldest first; the others are removed.
    package func sentVersions(most limit: Int = sentVersionLimit) async throws -> [SentVersion] {
        try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM sent_version WHERE at < (SELECT at FROM sent_version ORDER BY at DESC LIMIT 1 OFFSET ?)
                    """,
                arguments: [max(limit, 1) - 1])
            return try Row.fetchAll(database, sql: "SELECT * FROM sent_version ORDER BY at, provider, domain, item")
                .map { SentVersion(key: ItemKey(row: $0), version: $0["version"], former: $0["former"]) }
        }
    }
}
