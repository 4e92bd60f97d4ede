import GRDB

extension Schema {
    /// The documents that clients used last, the clients of which nothing is recorded (an empty one stands for all),
    /// and the user's favourites.
    static func addRecents(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE recent_use (
                    id INTEGER PRIMARY KEY,
                    principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL,
                    provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
                    name TEXT NOT NULL, content_type TEXT NOT NULL, is_folder INTEGER NOT NULL, used INTEGER NOT NULL,
                    UNIQUE (principal_kind, principal_id, provider, domain, item)
                ) STRICT;
                CREATE INDEX recent_use_by_item ON recent_use (provider, domain, item);
                CREATE TABLE unrecorded_client (client TEXT PRIMARY KEY NOT NULL) STRICT;
                CREATE TABLE favourite (
                    provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
                    name TEXT NOT NULL, content_type TEXT NOT NULL, is_folder INTEGER NOT NULL, added INTEGER NOT NULL,
                    PRIMARY KEY (provider, domain, item)
                ) STRICT;
                """)
    }
}

/// Keeps the records of used documents and favourites consistent with changes that other tables record.
package enum RecentTables {
    /// Moves the records of a document to another identifier: ?1 provider, ?2 domain, ?3 the old identifier, ?4 the new
    /// one.
    package static let follow = [
        "UPDATE OR REPLACE recent_use SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
        "UPDATE OR REPLACE favourite SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
    ]

    /// Removes the records of an account: ?1 provider, ?2 domain.
    static let forget = [
        "DELETE FROM recent_use WHERE provider = ?1 AND domain = ?2",
        "DELETE FROM favourite WHERE provider = ?1 AND domain = ?2",
    ]
}
