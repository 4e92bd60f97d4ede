import GRDB

extension Schema {
    /// Deletions that can still be taken back because the provider has no trash and has not been asked yet, what goes
    /// with each, and for how long the user wants that. An empty provider stands for all accounts.
    static func addDeletions(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE pending_deletion (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
                    principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL,
                    provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
                    parent TEXT NOT NULL, name TEXT NOT NULL, is_folder INTEGER NOT NULL, size INTEGER, path TEXT,
                    created INTEGER NOT NULL, due INTEGER NOT NULL,
                    is_wanted INTEGER NOT NULL DEFAULT 0, is_suspect INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE INDEX pending_deletion_by_domain ON pending_deletion (provider, domain, number);
                CREATE TABLE deleted_item (
                    provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
                    deletion TEXT NOT NULL, position INTEGER NOT NULL, listed INTEGER, is_pinned INTEGER NOT NULL,
                    description TEXT NOT NULL,
                    PRIMARY KEY (provider, domain, item)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX deleted_item_by_deletion ON deleted_item (deletion, position);
                CREATE TABLE deletion_rule (
                    provider TEXT NOT NULL, domain TEXT NOT NULL, seconds INTEGER NOT NULL,
                    PRIMARY KEY (provider, domain)
                ) STRICT, WITHOUT ROWID;
                """)
    }
}
