import CommandConsole
import DocentInterfaces

/// Formats grants for people. Pure.
enum GrantText {
    static func table(_ grants: [Wire.Grant]) -> Table {
        var table = Table([
            "ID", "CLIENT", "KIND", "ACCESS", "PROVIDER", "DOCUMENT", "ORIGIN", "CREATED", "ENDS", "USED",
        ])
        for grant in grants {
            table.add([
                grant.id.map(String.init) ?? "-", grant.client, kind(grant.clientKind, grant.strength), grant.access,
                account(grant.provider, grant.domain), document(grant), grant.origin,
                Timestamp.text(grant.created) ?? "-", end(grant), Timestamp.text(grant.used) ?? "-",
            ])
        }
        return table
    }

    /// As in `run (enforced)`.
    static func kind(_ kind: String, _ strength: String?) -> String { strength.map { "\(kind) (\($0))" } ?? kind }

    /// `PROVIDER[@DOMAIN]`.
    static func account(_ provider: String, _ domain: String) -> String {
        domain.isEmpty ? provider : "\(provider)@\(domain)"
    }

    private static func document(_ grant: Wire.Grant) -> String {
        let name = (grant.name ?? grant.identifier) + (grant.isFolder == true ? "/" : "")
        guard let companions = grant.companions, !companions.isEmpty else { return name }
        return "\(name) + \(companions.joined(separator: ", "))"
    }

    private static func end(_ grant: Wire.Grant) -> String {
        let moment = Timestamp.text(grant.expires)
        guard grant.isPersistent == false else { return moment ?? "never" }
        return moment.map { "with its client, or \($0)" } ?? "with its client"
    }
}
