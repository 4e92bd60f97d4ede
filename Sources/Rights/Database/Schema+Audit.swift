import GRDB

extension Schema {
    /// Columns of the audit: the right and the process that were used, and the item's name at that time.
    static func addAudit(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE audit ADD COLUMN grant_id INTEGER;
                ALTER TABLE audit ADD COLUMN process INTEGER;
                ALTER TABLE audit ADD COLUMN executable TEXT;
                ALTER TABLE audit ADD COLUMN name TEXT;
                DROP INDEX audit_aggregate;
                CREATE UNIQUE INDEX audit_aggregate
                    ON audit (minute, principal_kind, principal_id, provider, domain, item, event, access, detail)
                    WHERE event IN ('opened', 'refused', 'downloaded');
                CREATE INDEX audit_by_item ON audit (provider, domain, item, id);
                CREATE INDEX audit_names ON audit (provider, domain, item, id) WHERE name IS NOT NULL;
                CREATE INDEX audit_by_last ON audit (last);
                CREATE INDEX audit_by_grant ON audit (grant_id, last) WHERE grant_id IS NOT NULL;
                """)
    }
}
