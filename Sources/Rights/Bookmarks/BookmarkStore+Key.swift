import GRDB

extension BookmarkStore {
    /// Where the key of the sealed bookmarks is stored. It is looked for only there.
    package enum KeyPlace: String, Hashable, Sendable {
        /// In a separate file beside the database.
        case file
        /// In the user's keyring.
        case keyring
    }

    /// Where the key is stored; nil before there is one.
    ///
    /// - Throws: ``HostDatabaseError``.
    package func keyPlace() async throws -> KeyPlace? {
        try await database.read { database in
            try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'bookmark key place'")
        }.flatMap(KeyPlace.init(rawValue:))
    }

    /// Records where the key is stored; durable when this returns.
    ///
    /// - Throws: ``HostDatabaseError``.
    package func setKeyPlace(_ place: KeyPlace) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('bookmark key place', ?)",
                arguments: [place.rawValue])
        }
    }

    /// The name of this database's key in a keyring, which may also hold keys of other databases. Made at the first
    /// call.
    ///
    /// - Throws: ``HostDatabaseError``.
    package func keyName() async throws -> String {
        let made = BookmarkCipher.randomBytes(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return try await database.write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO setting (name, value) VALUES ('bookmark key name', ?)", arguments: [made])
            return try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'bookmark key name'")
                ?? made
        }
    }
}
