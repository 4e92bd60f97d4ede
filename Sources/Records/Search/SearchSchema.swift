import GRDB

/// The tables of `search.sqlite`. The file can be made again at any time, so another version is not migrated but
/// replaced.
enum SearchSchema {
    /// Changes with the tables, and with what ``NameFolding`` does: the index of words removes a name by its folded
    /// text.
    static let version = 1

    /// What is known of an item, in one number.
    struct Flags: OptionSet {
        let rawValue: Int64

        static let folder = Flags(rawValue: 1)
        static let downloaded = Flags(rawValue: 2)
        static let pinned = Flags(rawValue: 4)
        static let unsent = Flags(rawValue: 8)
        static let link = Flags(rawValue: 16)
        /// Only its identifier is known, as the folder of another item.
        static let unknown = Flags(rawValue: 32)

        init(rawValue: Int64) { self.rawValue = rawValue }

        init(_ item: IndexedItem) {
            var flags: Flags = []
            if item.isFolder { flags.insert(.folder) }
            if item.isDownloaded { flags.insert(.downloaded) }
            if item.isPinned { flags.insert(.pinned) }
            if item.isUnsent { flags.insert(.unsent) }
            if item.isLink { flags.insert(.link) }
            self = flags
        }
    }

    /// Makes the tables of an empty file. `hash` finds an identifier without storing it twice; a provider cannot know
    /// `seed`, so it cannot make many identifiers with the same hash.
    static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE setting (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT;
                INSERT INTO setting (name, value) VALUES ('seed', \(Int64.random(in: .min ... .max)));
                CREATE TABLE account (
                    id INTEGER PRIMARY KEY, provider TEXT NOT NULL, domain TEXT NOT NULL,
                    state TEXT NOT NULL DEFAULT 'never', message TEXT, round INTEGER NOT NULL DEFAULT 0,
                    listed INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,
                    started REAL, finished REAL, UNIQUE (provider, domain)
                ) STRICT;
                CREATE TABLE kind (id INTEGER PRIMARY KEY, type TEXT NOT NULL UNIQUE) STRICT;
                CREATE TABLE document (
                    id INTEGER PRIMARY KEY, account INTEGER NOT NULL, hash INTEGER NOT NULL, item TEXT NOT NULL,
                    parent INTEGER NOT NULL, name TEXT NOT NULL, kind INTEGER NOT NULL, size INTEGER, modified INTEGER,
                    flags INTEGER NOT NULL, round INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE INDEX document_by_item ON document (hash);
                CREATE INDEX document_by_parent ON document (parent);
                CREATE INDEX document_by_time ON document (modified);
                CREATE INDEX document_to_list ON document (account, round) WHERE flags & 1;
                CREATE VIRTUAL TABLE word USING fts5 (
                    text, content = '', columnsize = 0, detail = none, tokenize = 'trigram'
                );
                CREATE VIRTUAL TABLE folder_word USING fts5 (
                    text, content = '', columnsize = 0, detail = none, tokenize = 'trigram'
                );
                CREATE VIRTUAL TABLE part USING fts5vocab ('word', 'row');
                PRAGMA user_version = \(version);
                """)
    }

    /// The text that is indexed of a name: the spaces make the beginnings of words, and words of one or two letters,
    /// visible in its parts of three letters.
    static func indexed(_ folded: String) -> String { " \(folded)  " }

    /// An integer for an identifier, which depends on the file's own seed.
    static func hash(_ text: String, seed: Int64) -> Int64 {
        var value = UInt64(bitPattern: seed) ^ 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            value ^= value >> 29
        }
        value = (value ^ (value >> 32)) &* 0x9E37_79B9_7F4A_7C15
        return Int64(bitPattern: value ^ (value >> 29) ^ UInt64(bitPattern: seed))
    }
}
