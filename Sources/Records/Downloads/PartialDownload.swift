import FoundationEssentials
import GRDB
package import Rights

/// An unfinished download: what its file in `Downloads` is known to hold.
package struct PartialDownload: Hashable, Sendable {
    /// The document.
    package var key: ItemKey
    /// The file's name in `Downloads`.
    package var file: String
    /// The version that the bytes belong to; nil when the provider names none, then the download cannot be resumed.
    package var version: String?
    /// The number of bytes, from the start, that are on disk.
    package var completed: Int64
    /// The expected number of bytes, if known.
    package var total: Int64?
    /// What is on disk, when it was fetched in parts; nil for a download from the start on.
    package var ranges: ByteRanges?

    /// Creates a record.
    package init(
        key: ItemKey, file: String, version: String?, completed: Int64, total: Int64?, ranges: ByteRanges? = nil
    ) {
        self.ranges = ranges
        self.key = key
        self.file = file
        self.version = version
        self.completed = completed
        self.total = total
    }
}

/// The unfinished downloads, at most one for each document.
package struct PartialDownloadStore: Sendable {
    private let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) {
        self.database = database
    }

    /// The unfinished download of a document; nil when there is none.
    package func partial(_ key: ItemKey) async throws -> PartialDownload? {
        guard key.isStorable else { return nil }
        var condition = Condition()
        condition.require(key)
        return try await partials(condition).first
    }

    /// All unfinished downloads, for cleaning up after a kill.
    package func all() async throws -> [PartialDownload] {
        try await partials(Condition())
    }

    /// Records a download or its progress; the bytes must be on disk already.
    ///
    /// A power failure may undo the record; the bytes are then downloaded again.
    package func save(_ partial: PartialDownload) async throws {
        guard partial.key.isStorable, partial.version?.isStorable ?? true else { throw IndexError.unusableDescription }
        try await database.writeRelearnable { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO partial_download
                    (provider, domain, item, file, version, completed, total, ranges) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    partial.key.provider, partial.key.domain, partial.key.identifier, partial.file, partial.version,
                    partial.completed, partial.total, partial.ranges?.text,
                ])
        }
    }

    /// Removes the record of a download that is complete or given up.
    package func remove(_ key: ItemKey) async throws {
        guard key.isStorable else { return }
        var condition = Condition()
        condition.require(key)
        try await database.write { [condition] database in
            try database.execute(
                sql: "DELETE FROM partial_download\(condition.sql)", arguments: condition.arguments)
        }
    }

    private func partials(_ condition: Condition) async throws -> [PartialDownload] {
        try await database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM partial_download\(condition.sql) ORDER BY provider, domain, item",
                arguments: condition.arguments
            ).map {
                PartialDownload(
                    key: ItemKey(row: $0), file: $0["file"], version: $0["version"], completed: $0["completed"],
                    total: $0["total"], ranges: Self.ranges($0["ranges"]))
            }
        }
    }

    // A text that cannot be read stands for nothing: the bytes are fetched again.
    private static func ranges(_ text: String?) -> ByteRanges? { text.map { ByteRanges(text: $0) ?? ByteRanges() } }
}
