package import FoundationEssentials
import GRDB
package import Rights

/// What the index knows of an account, and how far its folders have been listed.
package struct SearchAccount: Hashable, Sendable {
    /// Names an account.
    package struct Identity: Hashable, Sendable {
        package var provider: String
        /// Empty for the default account.
        package var domain: String

        package init(provider: String, domain: String) {
            self.provider = provider
            self.domain = domain
        }

        package init(_ key: ItemKey) { self.init(provider: key.provider, domain: key.domain) }

        /// Its top folder.
        package var top: ItemKey {
            ItemKey(provider: provider, domain: domain, identifier: ItemKey.rootIdentifier)
        }
    }

    /// How far an account has been listed.
    package enum State: String, Hashable, Sendable {
        /// Nobody has listed all of it yet.
        case never
        /// It is being listed, or will be when its service can be reached.
        case running
        /// The user has stopped it.
        case paused
        /// All folders were listed.
        case done
        /// It was given up until the next time.
        case failed
        /// It is the default account of a provider that needs one, and nobody has set it up.
        case unset
    }

    /// The account.
    package var identity: Identity
    /// How far it has been listed.
    package var state: State
    /// Why it has failed, or what was left out.
    package var message: String?
    /// The number of items that are known, if they were counted.
    package var documents: Int
    /// The number of folders that this round has listed.
    package var listed: Int
    /// The number of known folders that this round has still to list.
    package var waiting: Int
    /// The number of folders of this round that could not be listed.
    package var failures: Int
    /// When this round began.
    package var started: Date?
    /// When the last complete round ended.
    package var finished: Date?

    /// How much of the known folders is listed, from 0 to 1; folders that are not known yet cannot be counted.
    package var progress: Double {
        if state == .done { return 1 }
        let all = listed + waiting
        return all == 0 ? 0 : Double(listed) / Double(all)
    }
}

extension SearchIndex {
    /// The accounts that the index knows.
    ///
    /// - Parameter counts: whether to count their documents, which takes longer the more there are.
    package func accounts(counts: Bool = false) async throws -> [SearchAccount] {
        try await read { database in
            var documents: [Int64: Int] = [:]
            if counts {
                for row in try Row.fetchAll(
                    database, sql: "SELECT account, count(*) FROM document GROUP BY account")
                {
                    documents[row[0]] = row[1]
                }
            }
            return try Row.fetchAll(database, sql: "SELECT * FROM account ORDER BY provider, domain").map { row in
                try Self.account(database, row, documents: documents[row["id"]] ?? 0)
            }
        }
    }

    /// One account, without the number of its documents; nil when the index does not know it.
    package func account(_ identity: SearchAccount.Identity) async throws -> SearchAccount? {
        try await read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM account WHERE provider = ? AND domain = ?",
                arguments: [identity.provider, identity.domain]
            ).map { try Self.account(database, $0, documents: 0) }
        }
    }

    private static func account(_ database: Database, _ row: Row, documents: Int) throws -> SearchAccount {
        let waiting = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM document WHERE account = ? AND round < ? AND flags & 1",
            arguments: [row["id"] as Int64, row["round"] as Int64])
        return SearchAccount(
            identity: .init(provider: row["provider"], domain: row["domain"]),
            state: SearchAccount.State(rawValue: row["state"]) ?? .never, message: row["message"],
            documents: documents, listed: row["listed"], waiting: waiting ?? 0, failures: row["failures"],
            started: (row["started"] as Double?).map(Date.init(timeIntervalSince1970:)),
            finished: (row["finished"] as Double?).map(Date.init(timeIntervalSince1970:)))
    }
}
