import DocentInterfaces

/// Domains as people read them. Pure.
enum DomainText {
    /// A table, a domain a line.
    static func table(_ domains: [Wire.Domain]) -> Table {
        var table = Table(["PROVIDER", "DOMAIN", "NAME", "STATE", "PENDING", "LOCAL", "WHERE"], numbers: [4, 5])
        for domain in domains {
            table.add([
                domain.provider, domain.identifier, domain.displayName, state(domain), pending(domain),
                domain.localBytes.map(ByteCount.text) ?? "-", place(domain),
            ])
        }
        return table
    }

    /// `ready`, or what is wrong and what to do: `not authenticated, 3 changes waiting: The password is wrong (docent login webdav@work)`.
    static func state(_ domain: Wire.Domain) -> String {
        let name =
            switch domain.state {
            case nil: "-"
            case "notAuthenticated": "not authenticated"
            case "signedOut": "signed out"
            case "signingOut": "signing out"
            case let state?: state
            }
        guard let state = domain.state, state != "ready" else { return name }
        let pending = domain.pendingChanges ?? 0
        let waiting = pending > 0 ? ", \(DrainOutcome.changes(pending)) waiting" : ""
        return name + waiting + (domain.message.map { ": \($0)" } ?? "") + (command(domain).map { " (\($0))" } ?? "")
    }

    /// The command that helps, where the message does not name it.
    private static func command(_ domain: Wire.Domain) -> String? {
        let account = AccountName(provider: domain.provider, domain: domain.identifier)
        let command =
            switch domain.state {
            case "notAuthenticated", "signedOut": account.login
            case "signingOut": "docent logout \(account)"
            default: nil as String?
            }
        return command.flatMap { domain.message?.contains("docent log") == true ? nil : $0 }
    }

    /// The folder or the address; `(unprotected)` where secrets and documents cross the network without https.
    private static func place(_ domain: Wire.Domain) -> String {
        let place = domain.folder ?? domain.settings?["url"] ?? "-"
        return PlainAddress.isUnprotected(domain) ? place + " (unprotected)" : place
    }

    private static func pending(_ domain: Wire.Domain) -> String {
        guard let pending = domain.pendingChanges else { return "-" }
        let failed = domain.failedChanges ?? 0
        return failed > 0 ? "\(pending) (\(failed) failed)" : String(pending)
    }
}
