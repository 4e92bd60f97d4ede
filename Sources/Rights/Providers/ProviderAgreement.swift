package import FoundationEssentials
import GRDB

extension ProviderConsentStore {
    /// The requests that were agreed to for each provider that was enabled, or that started enabled: lines, as they
    /// were passed in.
    ///
    /// A provider whose lines cannot be read has none: nothing is agreed to by accident.
    static func agreements(_ database: Database) throws -> [String: [String]] {
        let rows = try Row.fetchAll(database, sql: "SELECT provider, requests FROM provider_agreement")
        return Dictionary(
            rows.map { ($0["provider"], JSONText.value(of: $0["requests"]) ?? []) }, uniquingKeysWith: { $1 })
    }

    /// Agrees to the requests of an administrator's provider when it is first seen, and gives it its groups. A provider
    /// that was seen before keeps its agreement.
    ///
    /// - Parameters:
    ///   - requests: its requests, one line each.
    ///   - groups: the groups that it names, each with its line.
    /// - Returns: the agreed requests: without the keychain groups of others, which it joins by consent only. Nil when
    ///   its document group belongs to another provider: then nothing is agreed to, and the provider waits for the
    ///   user.
    package func admit(
        _ provider: String, requests: [String], groups: [ProviderGroup: String], at moment: Date = .now
    ) async throws -> [String]? {
        try await database.write { database in
            let known = try String.fetchOne(
                database, sql: "SELECT requests FROM provider_agreement WHERE provider = ?", arguments: [provider])
            if let known { return JSONText.value(of: known) ?? [] }
            var agreed = requests
            for (group, line) in groups {
                let owner = try Self.owner(database, group)
                if try owner == nil || owner == provider || Self.isMember(database, provider, of: group) { continue }
                if group.kind == .document { return nil }
                agreed.removeAll { $0 == line }
            }
            for (group, line) in groups where agreed.contains(line) {
                try Self.enter(database, group, provider: provider, consented: true, moment)
            }
            try Self.agree(database, agreed, provider, moment)
            return agreed
        }
    }

    static func agree(_ database: Database, _ requests: [String], _ provider: String, _ moment: Date) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO provider_agreement (provider, requests, since) VALUES (?, ?, ?)",
            arguments: [provider, try JSONText.encode(requests), moment.milliseconds])
    }

    private static func isMember(_ database: Database, _ provider: String, of group: ProviderGroup) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM group_member WHERE kind = ? AND name = ? AND provider = ?)",
            arguments: [group.kind.rawValue, group.name, provider]) ?? false
    }
}
