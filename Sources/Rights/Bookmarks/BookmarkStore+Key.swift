import GRDB

extension BookmarkStore {
    /// Where the key of the sealed bookmarks lies. Only there it is looked for.
    package enum KeyPlace: String, Hashable, Sendable {
        /// In a file of its own beside the database.
        case file
        /// In the user's keyring.
        case keyring
    }

    /// Where the key lies; nil before there is one.
    ///
    /// - Throws: ``IsolationError``.
    package func keyPlace() async throws -> KeyPlace? {
        try await database.read { database in
            try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'bookmark key place'")
        }.flatMap(KeyPlace.init(rawValue:))
    }

    /// Notes where the key lies, durable when this returns.
    ///
    /// - Throws: ``IsolationError``.
    package func setKeyPlace(_ place: KeyPlace) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('bookmark key place', ?)",
                arguments: [place.rawValue])
        }
    }

    /// By what name this database's key is kept in a keyring, which may hold those of others. Made at the first call.
    ///
    /// - Throws: ``IsolationError``.
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
