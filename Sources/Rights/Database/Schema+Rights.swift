import GRDB

extension Schema {
    /// Columns of rights besides access: their expiry, whether they were or may be taken, and companions (a JSON array
    /// of patterns). Each index returns the rows of one value in the order of their numbers, so that a page needs no
    /// sorting.
    static func addRights(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE grants ADD COLUMN expires INTEGER;
                ALTER TABLE grants ADD COLUMN persistent INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE grants ADD COLUMN persistable INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE grants ADD COLUMN companions TEXT;
                ALTER TABLE grants ADD COLUMN is_folder INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE grants ADD COLUMN name TEXT;
                CREATE INDEX grants_by_client ON grants (principal_id, principal_kind);
                CREATE INDEX grants_by_provider ON grants (provider, domain);
                CREATE INDEX grants_by_end ON grants (expires) WHERE expires IS NOT NULL;
                CREATE INDEX grants_transient ON grants (principal_kind, principal_id) WHERE persistent = 0;
                """)
    }
}
