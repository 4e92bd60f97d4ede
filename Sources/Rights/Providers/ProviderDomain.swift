package import FoundationEssentials
import GRDB

/// One account of a provider.
package struct ProviderDomain: Hashable, Sendable, Codable {
    /// The provider's bundle identifier.
    package let provider: String
    /// The account's identifier; empty for the default account.
    package let identifier: String
    /// The account's name for the user.
    package var displayName: String
    /// The folder that it shows, for providers of local files.
    package let folderPath: String?
    /// The user's settings for it, for provider and host; never a secret.
    package var settings: [String: String]
    /// How it signs in; nil when it does not need to.
    package var credential: CredentialReference?
    /// How far it is signed out; nil when it is not. A domain that is signed out is closed to clients.
    package var signOut: SignOut?
    /// When it was added, in whole milliseconds once stored.
    package let created: Date

    /// How far a domain is signed out.
    package enum SignOut: String, Hashable, Sendable, Codable {
        /// Decided: the domain is closed, and its local data is being removed. After an interruption the removal is
        /// resumed.
        case signingOut
        /// The same, but changes that could not be sent are dropped instead of kept.
        case discarding
        /// None of its data is stored locally any more.
        case signedOut
    }

    /// Makes a domain.
    package init(
        provider: String, identifier: String, displayName: String, folderPath: String? = nil,
        settings: [String: String] = [:], credential: CredentialReference? = nil,
        signOut: SignOut? = nil, created: Date = .now
    ) {
        self.provider = provider
        self.identifier = identifier
        self.displayName = displayName
        self.folderPath = folderPath
        self.settings = settings
        self.credential = credential
        self.signOut = signOut
        self.created = created
    }
}

extension ProviderConsentStore {
    /// Adds a domain, or replaces the one with the same identifier except for its creation date.
    package func setDomain(_ domain: ProviderDomain) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO domain (provider, identifier, display_name, folder, settings, credential, created, sign_out)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (provider, identifier)
                    DO UPDATE SET display_name = excluded.display_name, folder = excluded.folder,
                        settings = excluded.settings, credential = excluded.credential,
                        sign_out = excluded.sign_out
                    """,
                arguments: [
                    domain.provider, domain.identifier, domain.displayName, domain.folderPath,
                    domain.settings.isEmpty ? nil : try JSONText.encode(domain.settings),
                    try domain.credential.map { try JSONText.encode($0) }, domain.created.milliseconds,
                    domain.signOut?.rawValue,
                ])
        }
    }

    /// Removes a domain, with what was recorded of its documents as used or favourites; its grants remain.
    ///
    /// - Returns: whether it existed.
    @discardableResult
    package func removeDomain(_ identifier: String, of provider: String) async throws -> Bool {
        try await database.write { database in
            for statement in RecentTables.forget {
                try database.execute(sql: statement, arguments: [provider, identifier])
            }
            try database.execute(
                sql: "DELETE FROM domain WHERE provider = ? AND identifier = ?", arguments: [provider, identifier])
            return database.changesCount > 0
        }
    }

    /// The domains of one provider, or of all: by provider, then in the order in which they were added.
    package func domains(of provider: String? = nil) async throws -> [ProviderDomain] {
        try await database.read { try Self.domains($0, of: provider) }
    }

    static func domains(_ database: Database, of provider: String? = nil) throws -> [ProviderDomain] {
        var condition = Condition()
        if let provider { condition.require("provider = ?", provider) }
        return try Row.fetchAll(
            database, sql: "SELECT * FROM domain\(condition.sql) ORDER BY provider, created, identifier",
            arguments: condition.arguments
        ).map {
            ProviderDomain(
                provider: $0["provider"], identifier: $0["identifier"], displayName: $0["display_name"],
                folderPath: $0["folder"], settings: JSONText.value(of: $0["settings"]) ?? [:],
                credential: JSONText.value(of: $0["credential"]),
                signOut: signOut($0["sign_out"]), created: Date(milliseconds: $0["created"]))
        }
    }

    // An unknown value closes the domain.
    private static func signOut(_ text: String?) -> ProviderDomain.SignOut? {
        text.map { ProviderDomain.SignOut(rawValue: $0) ?? .signingOut }
    }
}
