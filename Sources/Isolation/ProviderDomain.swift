package import FoundationEssentials
import GRDB

/// One account of a provider.
package struct ProviderDomain: Hashable, Sendable, Codable {
    /// The provider's bundle identifier.
    package let provider: String
    /// The account's identifier; empty for the default one.
    package let identifier: String
    /// The account's name for the user.
    package let displayName: String
    /// The folder that it shows, for providers of local files.
    package let folderPath: String?
    /// What the user set for it, for provider and host; never a secret.
    package let settings: [String: String]
    /// How it signs in; nil when it need not.
    package let credential: CredentialReference?
    /// When it was added, in whole milliseconds once stored.
    package let created: Date

    /// Makes a domain.
    package init(
        provider: String, identifier: String, displayName: String, folderPath: String? = nil,
        settings: [String: String] = [:], credential: CredentialReference? = nil, created: Date = .now
    ) {
        self.provider = provider
        self.identifier = identifier
        self.displayName = displayName
        self.folderPath = folderPath
        self.settings = settings
        self.credential = credential
        self.created = created
    }
}

extension ProviderConsentStore {
    /// Adds a domain, or changes name, folder, settings and credential of the one with the same identifier.
    package func setDomain(_ domain: ProviderDomain) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO domain (provider, identifier, display_name, folder, settings, credential, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (provider, identifier)
                    DO UPDATE SET display_name = excluded.display_name, folder = excluded.folder,
                        settings = excluded.settings, credential = excluded.credential
                    """,
                arguments: [
                    domain.provider, domain.identifier, domain.displayName, domain.folderPath,
                    domain.settings.isEmpty ? nil : try JSONText.encode(domain.settings),
                    try domain.credential.map { try JSONText.encode($0) }, domain.created.milliseconds,
                ])
        }
    }

    /// Removes a domain; its grants are not touched.
    /// - Returns: whether there was one.
    @discardableResult
    package func removeDomain(_ identifier: String, of provider: String) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM domain WHERE provider = ? AND identifier = ?", arguments: [provider, identifier])
            return database.changesCount > 0
        }
    }

    /// The domains of one provider, or of all, in the order in which they were added.
    package func domains(of provider: String? = nil) async throws -> [ProviderDomain] {
        try await database.read { database in
            var condition = Condition()
            if let provider { condition.require("provider = ?", provider) }
            return try Row.fetchAll(
                database, sql: "SELECT * FROM domain\(condition.sql) ORDER BY provider, created, identifier",
                arguments: condition.arguments
            ).map {
                ProviderDomain(
                    provider: $0["provider"], identifier: $0["identifier"], displayName: $0["display_name"],
                    folderPath: $0["folder"], settings: JSONText.value(of: $0["settings"]) ?? [:],
                    credential: JSONText.value(of: $0["credential"]), created: Date(milliseconds: $0["created"]))
            }
        }
    }
}
