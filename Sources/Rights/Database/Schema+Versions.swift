import GRDB

extension Schema {
    /// What saves replace is kept too: who saved it and where, how long it stays, and how much room it may take.
    ///
    /// `standing` is `conflict` while the user has to decide, `ordinary` for what may be thinned, and `kept` for what
    /// stays until the user removes it. Triggers keep the sum of the ordinary ones, so nobody has to count them.
    static func addVersionHistory(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE kept_version ADD COLUMN standing TEXT NOT NULL DEFAULT 'kept';
                ALTER TABLE kept_version ADD COLUMN saved_kind TEXT;
                ALTER TABLE kept_version ADD COLUMN saved_by TEXT;
                ALTER TABLE kept_version ADD COLUMN host TEXT;
                ALTER TABLE kept_version ADD COLUMN modified INTEGER;
                ALTER TABLE kept_version ADD COLUMN content_version TEXT;
                UPDATE kept_version SET standing = 'conflict' WHERE reason IN ('conflict', 'unsent', 'deleted');
                CREATE INDEX kept_version_by_moment ON kept_version (provider, domain, item, created);
                CREATE INDEX kept_version_conflicts ON kept_version (provider, domain, item)
                    WHERE standing = 'conflict';
                CREATE INDEX kept_version_ordinary ON kept_version (created) WHERE standing = 'ordinary';
                CREATE INDEX operation_by_version ON operation (provider, domain, item, uploaded_version)
                    WHERE uploaded_version IS NOT NULL;
                CREATE TABLE version_space (
                    id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL, versions INTEGER NOT NULL
                ) STRICT;
                INSERT INTO version_space (id, bytes, versions) VALUES (1, 0, 0);
                CREATE TRIGGER version_kept AFTER INSERT ON kept_version WHEN new.standing = 'ordinary' BEGIN
                    UPDATE version_space SET bytes = bytes + new.size, versions = versions + 1;
                END;
                CREATE TRIGGER version_removed AFTER DELETE ON kept_version WHEN old.standing = 'ordinary' BEGIN
                    UPDATE version_space SET bytes = bytes - old.size, versions = versions - 1;
                END;
                CREATE TRIGGER version_settled AFTER UPDATE OF standing ON kept_version
                    WHEN old.standing <> 'ordinary' AND new.standing = 'ordinary' BEGIN
                    UPDATE version_space SET bytes = bytes + new.size, versions = versions + 1;
                END;
                CREATE TABLE version_rule (
                    provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
                    is_kept INTEGER, versions INTEGER, days INTEGER, space INTEGER, when_full TEXT,
                    PRIMARY KEY (provider, domain, item)
                ) STRICT, WITHOUT ROWID;
                """)
    }
}
