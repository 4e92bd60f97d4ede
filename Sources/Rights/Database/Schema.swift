import GRDB

/// The tables, as migrations in order. A released migration is never changed.
///
/// Moments are whole milliseconds since 1970. Principals carry their kind in every key (I2).
package enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 isolation and journal") { database in
            try database.execute(sql: isolation)
            try database.execute(sql: providers)
            try database.execute(sql: journal)
        }
        migrator.registerMigration("2 remote documents") { database in
            try database.execute(sql: remoteItems)
            try database.execute(sql: remoteContent)
        }
        migrator.registerMigration("3 packages") { database in
            try database.execute(
                sql: """
                    ALTER TABLE operation ADD COLUMN package TEXT;
                    CREATE INDEX operation_by_package ON operation (package) WHERE package IS NOT NULL;
                    """)
        }
        migrator.registerMigration("4 rights", migrate: addRights)
        migrator.registerMigration("5 audit", migrate: addAudit)
        migrator.registerMigration("6 bookmarks", migrate: addBookmarks)
        migrator.registerMigration("7 sent versions", migrate: addSentVersions)
        migrator.registerMigration("8 links") { database in
            try database.execute(
                sql: """
                    ALTER TABLE remote_item ADD COLUMN link_target TEXT;
                    ALTER TABLE remote_item ADD COLUMN ignores_case INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("9 sign out") { database in
            try database.execute(sql: "ALTER TABLE domain ADD COLUMN sign_out TEXT")
        }
        migrator.registerMigration("10 content types") { database in
            try database.execute(sql: "ALTER TABLE operation ADD COLUMN content_type TEXT")
        }
        migrator.registerMigration("11 provider agreements") { database in
            try database.execute(
                sql: """
                    CREATE TABLE provider_agreement (
                        provider TEXT PRIMARY KEY NOT NULL, requests TEXT NOT NULL, since INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("12 partial content") { database in
            try database.execute(sql: "ALTER TABLE partial_download ADD COLUMN ranges TEXT")
        }
        migrator.registerMigration("13 version history", migrate: addVersionHistory)
        migrator.registerMigration("14 undoable changes") { database in
            try database.execute(sql: undoableChanges)
        }
        migrator.registerMigration("15 held changes") { database in
            try database.execute(sql: heldChanges)
        }
        migrator.registerMigration("16 recents", migrate: addRecents)
        migrator.registerMigration("17 noise") { database in
            try database.execute(sql: "ALTER TABLE held_client ADD COLUMN is_noise INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("18 packed versions", migrate: addPackedVersions)
        migrator.registerMigration("19 deletions", migrate: addDeletions)
        migrator.registerMigration("20 conflict merging") { database in
            try database.execute(sql: "ALTER TABLE version_rule ADD COLUMN merges INTEGER")
        }
        return migrator
    }

    private static let isolation = """
        CREATE TABLE grants (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL,
            provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
            access TEXT NOT NULL, origin TEXT NOT NULL, created INTEGER NOT NULL, executable TEXT,
            UNIQUE (principal_kind, principal_id, provider, domain, item)
        ) STRICT;
        CREATE INDEX grants_by_item ON grants (provider, domain, item);
        CREATE TABLE bookmarks (
            id BLOB PRIMARY KEY NOT NULL, secret BLOB NOT NULL,
            grant_id INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
            access TEXT NOT NULL, stale INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX bookmarks_by_grant ON bookmarks (grant_id);
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            event TEXT NOT NULL, minute INTEGER NOT NULL,
            principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL,
            provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
            access TEXT NOT NULL, detail TEXT NOT NULL,
            count INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX audit_aggregate
            ON audit (minute, principal_kind, principal_id, provider, domain, item, event, access, detail)
            WHERE event IN ('opened', 'refused');
        CREATE INDEX audit_by_principal ON audit (principal_kind, principal_id, id);
        CREATE TABLE setting (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
        """

    private static let providers = """
        CREATE TABLE provider (
            identifier TEXT PRIMARY KEY NOT NULL, enabled INTEGER NOT NULL, changed INTEGER NOT NULL,
            manifest_paths TEXT NOT NULL, library_paths TEXT NOT NULL, owner INTEGER NOT NULL,
            digest TEXT NOT NULL, unsandboxed INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE provider_group (
            kind TEXT NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL, since INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
        ) STRICT;
        CREATE TABLE group_member (
            kind TEXT NOT NULL, name TEXT NOT NULL, provider TEXT NOT NULL, since INTEGER NOT NULL,
            PRIMARY KEY (kind, name, provider),
            FOREIGN KEY (kind, name) REFERENCES provider_group (kind, name) ON DELETE CASCADE
        ) STRICT;
        CREATE TABLE crash (
            id INTEGER PRIMARY KEY AUTOINCREMENT, provider TEXT NOT NULL, at INTEGER NOT NULL, detail TEXT NOT NULL
        ) STRICT;
        CREATE INDEX crash_by_provider ON crash (provider, at);
        CREATE TABLE quarantine (
            provider TEXT PRIMARY KEY NOT NULL, since INTEGER NOT NULL, reason TEXT NOT NULL
        ) STRICT;
        CREATE TABLE domain (
            provider TEXT NOT NULL, identifier TEXT NOT NULL, display_name TEXT NOT NULL, folder TEXT,
            created INTEGER NOT NULL,
            PRIMARY KEY (provider, identifier)
        ) STRICT;
        """

    private static let journal = """
        CREATE TABLE operation (
            id TEXT PRIMARY KEY NOT NULL, op TEXT NOT NULL,
            principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL,
            kind TEXT NOT NULL, provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT,
            parent TEXT, name TEXT, base_version TEXT, source TEXT,
            digest TEXT, size INTEGER, state TEXT NOT NULL, failed_from TEXT, reason TEXT,
            item_version INTEGER, created INTEGER NOT NULL, changed INTEGER NOT NULL,
            uploaded INTEGER, source_finished INTEGER,
            UNIQUE (principal_kind, principal_id, op)
        ) STRICT;
        CREATE INDEX operation_by_state ON operation (state, created);
        CREATE INDEX operation_by_item ON operation (provider, domain, item);
        CREATE TABLE item_version (
            provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL, version INTEGER NOT NULL,
            PRIMARY KEY (provider, domain, item)
        ) STRICT, WITHOUT ROWID;
        """

    private static let remoteItems = """
        CREATE TABLE remote_item (
            provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
            parent TEXT NOT NULL, name TEXT NOT NULL, content_type TEXT, size INTEGER, modified REAL, born REAL,
            is_folder INTEGER NOT NULL, version TEXT, capabilities TEXT, thumbnail TEXT,
            checked INTEGER, listed INTEGER, provisional INTEGER NOT NULL,
            local_name TEXT, local_version TEXT, local_size INTEGER, pinned INTEGER NOT NULL, used INTEGER,
            PRIMARY KEY (provider, domain, item)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX remote_item_by_parent ON remote_item (provider, domain, parent, name, item);
        CREATE INDEX remote_item_local ON remote_item (provider, domain, used, local_size)
            WHERE local_name IS NOT NULL;
        CREATE INDEX remote_item_pinned ON remote_item (provider, domain) WHERE pinned = 1;
        CREATE TABLE item_alias (
            provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL, target TEXT NOT NULL,
            PRIMARY KEY (provider, domain, item)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX item_alias_by_target ON item_alias (provider, domain, target);
        CREATE TABLE held_listing (
            provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
            known INTEGER NOT NULL, listed INTEGER NOT NULL, since INTEGER NOT NULL,
            PRIMARY KEY (provider, domain, item)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE domain_anchor (
            provider TEXT NOT NULL, domain TEXT NOT NULL, anchor TEXT NOT NULL,
            PRIMARY KEY (provider, domain)
        ) STRICT, WITHOUT ROWID;
        """

    private static let remoteContent = """
        CREATE TABLE partial_download (
            provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
            file TEXT NOT NULL, version TEXT, completed INTEGER NOT NULL, total INTEGER,
            PRIMARY KEY (provider, domain, item)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE kept_version (
            id TEXT PRIMARY KEY NOT NULL, provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
            name TEXT NOT NULL, reason TEXT NOT NULL, size INTEGER NOT NULL, digest TEXT, created INTEGER NOT NULL,
            folder TEXT NOT NULL, file TEXT NOT NULL, operation TEXT
        ) STRICT;
        CREATE INDEX kept_version_by_item ON kept_version (provider, domain, item);
        ALTER TABLE domain ADD COLUMN settings TEXT;
        ALTER TABLE domain ADD COLUMN credential TEXT;
        ALTER TABLE operation ADD COLUMN uploaded_version TEXT;
        CREATE INDEX operation_unsent ON operation (provider, domain, item) WHERE \(unsent);
        """

    private static let undoableChanges = """
        CREATE TABLE undoable_change (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
            principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL, kind TEXT NOT NULL,
            provider TEXT NOT NULL, domain TEXT NOT NULL, item TEXT NOT NULL,
            name TEXT NOT NULL, parent TEXT NOT NULL, former_name TEXT NOT NULL, former_parent TEXT NOT NULL,
            is_folder INTEGER NOT NULL, version TEXT, is_trashed INTEGER NOT NULL, trashed TEXT, kept_version TEXT,
            created INTEGER NOT NULL, undone INTEGER
        ) STRICT;
        """

    private static let heldChanges = """
        CREATE TABLE change_limit (
            id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1), documents INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE held_client (
            principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL, documents INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (principal_kind, principal_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE change_allowance (
            principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL, until INTEGER NOT NULL,
            PRIMARY KEY (principal_kind, principal_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Operations that are committed but have not reached their provider, including those that failed on the way.
    package static let unsent =
        "digest IS NOT NULL AND uploaded IS NULL AND state NOT IN ('finished', 'abandoned', 'recovered')"
}
