package import FoundationEssentials
import GRDB
package import Rights

// Which folders of an account are still to be listed is in the rows of the folders themselves: whoever ends in the
// middle continues where it was, and a folder that is reached twice is listed once.
extension SearchIndex {
    /// A folder that is to be listed.
    package struct Folder: Hashable, Sendable {
        package var key: ItemKey
        /// The uniform type identifier, by which a package is recognised.
        package var contentType: String
        /// How many folders are above it.
        package var depth: Int
        let number: Int64
        let round: Int64
    }

    /// Begins to list an account from its top, or continues where an earlier call was.
    package func beginRound(_ account: SearchAccount.Identity, at moment: Date) async throws {
        guard account.top.isStorable else { return }
        try await write { [seed] database in
            var table = DocumentTable(database, seed: seed)
            let number = try table.account(account)
            _ = try table.addUnknown(number, ItemKey.rootIdentifier)
            let state = try String.fetchOne(
                database, sql: "SELECT state FROM account WHERE id = ?", arguments: [number])
            let goesOn = state == SearchAccount.State.running.rawValue || state == SearchAccount.State.paused.rawValue
            let hasBegun = try Bool.fetchOne(
                database, sql: "SELECT round > 0 FROM account WHERE id = ?", arguments: [number])
            if goesOn, hasBegun == true {
                return try database.execute(
                    sql: "UPDATE account SET state = 'running' WHERE id = ?", arguments: [number])
            }
            try database.execute(
                sql: """
                    UPDATE account SET finished = iif(state = 'failed', NULL, finished), state = 'running',
                        message = NULL, round = round + 1, listed = 0, failures = 0, started = ?
                    WHERE id = ?
                    """, arguments: [moment.timeIntervalSince1970, number])
        }
    }

    /// Records how far an account is. The time is recorded when it is done or given up.
    package func setState(
        _ state: SearchAccount.State, of account: SearchAccount.Identity, message: String? = nil, at moment: Date
    ) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE account SET state = ?1, message = ?2,
                        finished = iif(?1 IN ('done', 'failed', 'unset'), ?3, finished)
                    WHERE provider = ?4 AND domain = ?5
                    """,
                arguments: [
                    state.rawValue, message, moment.timeIntervalSince1970, account.provider, account.domain,
                ])
        }
    }

    /// The next folder to list; nil when the round is complete.
    package func nextFolder(of account: SearchAccount.Identity) async throws -> Folder? {
        try await read { database in
            let found = try Row.fetchOne(
                database,
                sql: """
                    SELECT document.id, item, kind.type, account.round, parent FROM account
                    JOIN document ON document.account = account.id AND document.round < account.round
                        AND document.flags & 1
                    JOIN kind ON kind.id = document.kind
                    WHERE account.provider = ? AND account.domain = ? ORDER BY document.round, document.id LIMIT 1
                    """, arguments: [account.provider, account.domain])
            guard let found else { return nil }
            return Folder(
                key: account.top.sibling(found[1]), contentType: found[2],
                depth: try Self.depth(database, above: found[4]), number: found[0], round: found[3])
        }
    }

    static let mostFoldersAbove = 256

    private static func depth(_ database: Database, above parent: Int64) throws -> Int {
        var (depth, next) = (0, parent)
        while next != 0, depth < mostFoldersAbove {
            depth += 1
            next =
                try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT parent FROM document WHERE id = ?"), arguments: [next]) ?? 0
        }
        return depth
    }

    /// Records that a folder was listed, or left out.
    ///
    /// - Parameter hasFailed: whether it could not be listed.
    package func finish(_ folder: Folder, hasFailed: Bool = false) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE document SET round = ? WHERE id = ? AND round < ?",
                arguments: [folder.round, folder.number, folder.round])
            guard database.changesCount > 0 else { return }
            try database.execute(
                sql: """
                    UPDATE account SET listed = listed + 1, failures = failures + ?
                    WHERE provider = ? AND domain = ?
                    """, arguments: [hasFailed ? 1 : 0, folder.key.provider, folder.key.domain])
        }
    }

    /// Adds a top folder for an account that has no documents yet, so that its state can be recorded.
    package func add(_ account: SearchAccount.Identity) async throws {
        guard account.top.isStorable else { return }
        try await write { [seed] database in
            var table = DocumentTable(database, seed: seed)
            _ = try table.account(account)
        }
    }
}
