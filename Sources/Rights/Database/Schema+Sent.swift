import GRDB

extension Schema {
    /// Maps our versions to the provider's: the last one for each document (HAZARDS 5).
    static func addSentVersions(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE sent_version (
                    provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
                    version TEXT NOT NULL, former TEXT NOT NULL, at INTEGER NOT NULL,
                    PRIMARY KEY (provider, domain, item)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX sent_version_by_moment ON sent_version (at);
                """)
    }
}
