import CommandConsole
import DocentInterfaces
import SignInConversation

/// Formats domains for people. Pure.
enum DomainText {
    /// A table with one line per domain.
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

    /// One domain with its settings, for `docent domains show`.
    static func facts(_ domain: Wire.Domain) -> String {
        let settings = ShownSettings(domain.settings ?? [:]).values.sorted { $0.key < $1.key }
        let name = AccountName(provider: domain.provider, domain: domain.identifier)
        var text = Table.facts([
            ("domain", name.description), ("name", domain.displayName), ("state", state(domain)),
            ("signs in", domain.credential), ("folder", domain.folder),
            ("waiting", (domain.pendingChanges ?? 0) > 0 ? pending(domain) : nil),
            ("local", domain.localBytes.map(ByteCount.text)),
        ])
        guard !settings.isEmpty else { return text + "It has no settings.\n" }
        text += "settings:\n"
        for (key, value) in settings {
            text += "  \(SafeText.escaped(key)) = \(value.map(shown) ?? "(not shown)")\n"
        }
        return text
    }

    // A value of several lines, for example certificates, is shown as its first line and the number of lines.
    private static func shown(_ value: String) -> String {
        let lines = value.split(separator: "\n", omittingEmptySubsequences: true)
        guard lines.count > 1, let first = lines.first else { return SafeText.escaped(value) }
        return "\(SafeText.escaped(String(first))) (\(lines.count) lines)"
    }

    /// `ready`, or the problem and its remedy, as in
    /// `not authenticated, 3 changes waiting: The password is wrong (docent login webdav@work)`.
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

    /// The command that helps, unless the message names it.
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

    /// The folder or the address, with `(unprotected)` if secrets and documents cross the network without https.
    private static func place(_ domain: Wire.Domain) -> String {
        let place = domain.folder ?? domain.settings?["url"].map(ShownSettings.withoutPassword) ?? "-"
        return PlainAddress.isUnprotected(domain) ? place + " (unprotected)" : place
    }

    private static func pending(_ domain: Wire.Domain) -> String {
        guard let pending = domain.pendingChanges else { return "-" }
        let failed = domain.failedChanges ?? 0
        return failed > 0 ? "\(pending) (\(failed) failed)" : String(pending)
    }
}
