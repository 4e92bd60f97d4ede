import DocentInterfaces

/// Domains as people read them. Pure.
enum DomainText {
    /// A table, a domain a line.
    static func table(_ domains: [Wire.Domain]) -> Table {
        var table = Table(["PROVIDER", "DOMAIN", "NAME", "STATE", "PENDING", "LOCAL", "WHERE"], numbers: [4, 5])
        for domain in domains {
            table.add([
                domain.provider, domain.identifier, domain.displayName, state(domain), pending(domain),
                domain.localBytes.map(ByteCount.text) ?? "-", domain.folder ?? domain.settings?["url"] ?? "-",
            ])
        }
        return table
    }

    /// `ready`, or what is wrong: `not authenticated, 3 changes waiting: The password is wrong`.
    static func state(_ domain: Wire.Domain) -> String {
        let name =
            switch domain.state {
            case nil: "-"
            case "notAuthenticated": "not authenticated"
            case let state?: state
            }
        guard let state = domain.state, state != "ready" else { return name }
        let pending = domain.pendingChanges ?? 0
        let waiting = pending > 0 ? ", \(DrainOutcome.changes(pending)) waiting" : ""
        return name + waiting + (domain.message.map { ": \($0)" } ?? "")
    }

    private static func pending(_ domain: Wire.Domain) -> String {
        guard let pending = domain.pendingChanges else { return "-" }
        let failed = domain.failedChanges ?? 0
        return failed > 0 ? "\(pending) (\(failed) failed)" : String(pending)
    }
}
