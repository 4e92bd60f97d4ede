import Records
import RemoteDocuments
import Rights

/// What both sides of a conflict started from: the content that the provider had when the first of the saves began that
/// it has not taken.
struct ConflictOrigin: Sendable {
    private static let longestChain = 10_000

    /// The versions that the document had with that content.
    private let names: [String]
    /// The saves before this one that the provider has not taken either: this one began with what they had saved.
    let earlier: Set<String>

    /// Finds it in the journal.
    ///
    /// - Returns: nil if it is not recorded any more.
    static func find(_ version: KeptVersion, in journal: OperationJournal) async throws -> ConflictOrigin? {
        guard let operation = version.operation, var row = try await journal.operation(operation) else { return nil }
        var sent: String?
        var earlier: Set<String> = []
        // Saves can form a chain, each based on the one before; what the provider had ends it.
        for _ in 0..<longestChain {
            guard let last = LocalVersion(row.baseVersion)?.operation else { break }
            guard let before = try await journal.operation(last) else { return nil }
            sent = before.uploadedVersion
            if sent != nil { break }
            earlier.insert(before.id)
            row = before
        }
        return ConflictOrigin(names: [row.baseVersion, sent].compactMap(\.self), earlier: earlier)
    }

    private init(names: [String], earlier: Set<String>) {
        self.names = names
        self.earlier = earlier
    }

    /// The version with that content, if it is kept.
    ///
    /// - Parameter kept: versions of the document, oldest first.
    func content(among kept: [KeptVersion]) -> KeptVersion? {
        kept.last { version in names.contains { Optional($0).isSame(as: version.contentVersion) } }
    }
}
