package import FoundationEssentials
import GRDB
import Rights

// Package changes: one operation of the client, and the parts that are sent to a remote provider.
extension OperationJournal {
    /// Records all parts of a committed package change in one transaction; parts that are recorded already stay
    /// unchanged.
    ///
    /// Their content is in `Uploads` under their ``PackagePart/id`` already.
    ///
    /// - Returns: the parts, in their order.
    /// - Throws: ``JournalError/outOfOrder(from:to:)`` for an operation that is not committed.
    package func addParts(
        _ parts: [PackagePart], of id: String, at moment: Date = .now
    ) async throws -> [JournaledOperation] {
        try await database.write { database in
            let whole = try Self.require(database, id)
            guard whole.digest != nil, !whole.state.isFinal else {
                throw JournalError.outOfOrder(from: whole.state, to: .staged)
            }
            for part in parts {
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO operation (id, op, principal_kind, principal_id, kind, provider, domain, item,
                            parent, name, base_version, digest, size, state, created, changed, package)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'staged', ?, ?, ?)
                        """,
                    arguments: [
                        part.id, part.id, whole.principal.kind.rawValue, whole.principal.identifier,
                        (part.item == nil ? JournaledOperation.Kind.create : .write).rawValue, whole.provider,
                        whole.domain, part.item, part.parent, part.name, part.baseVersion, part.digest, part.size,
                        moment.milliseconds, moment.milliseconds, id,
                    ])
            }
            return try parts.map { try Self.require(database, $0.id) }
        }
    }

    /// The parts of a package change that its provider does not have, including those that wait for the user.
    package func unsentParts(of id: String) async throws -> [JournaledOperation] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM operation WHERE package = ? AND \(Schema.unsent) ORDER BY created, rowid",
                arguments: [id]
            ).map(JournaledOperation.init(row:))
        }
    }
}
