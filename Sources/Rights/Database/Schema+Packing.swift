import GRDB

extension Schema {
    /// Versions can be packed. `stored` is what a version takes by itself: nothing is said while it has not been
    /// examined, and then it is its size. The chunks that packed versions share are counted elsewhere.
    static func addPackedVersions(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE kept_version ADD COLUMN stored INTEGER;
                CREATE INDEX kept_version_unexamined ON kept_version (provider, domain, item)
                    WHERE stored IS NULL AND standing = 'ordinary' AND size >= 65536;
                DROP TRIGGER version_kept;
                DROP TRIGGER version_removed;
                DROP TRIGGER version_settled;
                CREATE TRIGGER version_kept AFTER INSERT ON kept_version WHEN new.standing = 'ordinary' BEGIN
                    UPDATE version_space SET bytes = bytes + coalesce(new.stored, new.size), versions = versions + 1;
                END;
                CREATE TRIGGER version_removed AFTER DELETE ON kept_version WHEN old.standing = 'ordinary' BEGIN
                    UPDATE version_space SET bytes = bytes - coalesce(old.stored, old.size), versions = versions - 1;
                END;
                CREATE TRIGGER version_settled AFTER UPDATE OF standing ON kept_version
                    WHEN old.standing <> 'ordinary' AND new.standing = 'ordinary' BEGIN
                    UPDATE version_space SET bytes = bytes + coalesce(new.stored, new.size), versions = versions + 1;
                END;
                CREATE TRIGGER version_packed AFTER UPDATE OF stored ON kept_version
                    WHEN old.standing = 'ordinary' AND new.standing = 'ordinary' BEGIN
                    UPDATE version_space SET
                        bytes = bytes + coalesce(new.stored, new.size) - coalesce(old.stored, old.size);
                END;
                """)
    }
}
