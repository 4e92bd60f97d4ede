import GRDB

extension Schema {
    /// Columns for sealed bookmarks: the name of the key, and the document itself, because the right may be to a folder
    /// above it.
    static func addBookmarks(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE bookmarks ADD COLUMN seal TEXT;
                ALTER TABLE bookmarks ADD COLUMN provider TEXT;
                ALTER TABLE bookmarks ADD COLUMN domain TEXT;
                ALTER TABLE bookmarks ADD COLUMN item TEXT;
                CREATE INDEX bookmarks_by_item ON bookmarks (provider, domain, item) WHERE item IS NOT NULL;
                """)
    }
}
