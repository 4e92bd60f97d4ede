import GRDB

/// Everything that the user decided about providers at one moment, by bundle identifier.
package struct ProviderConsents: Sendable {
    /// Whether each is enabled, and as what.
    package let decisions: [String: ProviderDecision]
    /// The requests that were agreed to, one line each.
    package let agreements: [String: [String]]
    /// The accounts of each, in the order in which they were added.
    package let domains: [String: [ProviderDomain]]
    /// The providers that may not start after repeated crashes.
    package let quarantines: [String: ProviderQuarantine]
}

extension ProviderConsentStore {
    /// The number of the last change of ``consents()``.
    package var revision: UInt64 { database.consentRevision.current }

    /// All decisions about all providers, in one snapshot.
    package func consents() async throws -> ProviderConsents {
        try await database.read { database in
            ProviderConsents(
                decisions: try Self.decisions(database), agreements: try Self.agreements(database),
                domains: Dictionary(grouping: try Self.domains(database), by: \.provider),
                quarantines: Dictionary(
                    try Self.quarantines(database).map { ($0.provider, $0) }, uniquingKeysWith: { first, _ in first }))
        }
    }
}
