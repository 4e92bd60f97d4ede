import CommandConsole
import DocentInterfaces

/// Formats claims and presenters for people. Pure.
enum ClaimText {
    /// A table of claims, followed by a table of presenters if there are any.
    static func text(_ reply: AdministrationInterface.Claims.Reply) -> String {
        let claims = table(reply.claims).shown
        return reply.presenters.isEmpty ? claims : claims + "\n" + table(reply.presenters).shown
    }

    static func table(_ claims: [Wire.Claim]) -> Table {
        var table = Table(["CLAIM", "STATE", "SINCE", "CLIENT", "KIND", "PROCESS", "ACCESS", "WAITS FOR"])
        for claim in claims {
            table.add([
                claim.operation, claim.state, Timestamp.text(claim.since) ?? "-", claim.client,
                GrantText.kind(claim.clientKind, strength(claim.clientKind)),
                process(claim.process, claim.isStopped), claim.items.map(access).joined(separator: ", "),
                claim.waitsFor.isEmpty ? "-" : claim.waitsFor.joined(separator: "; "),
            ])
        }
        return table
    }

    static func table(_ presenters: [Wire.Presenter]) -> Table {
        var table = Table(["PRESENTER", "CLIENT", "KIND", "PROCESS", "DOCUMENT", "UNANSWERED", "SINCE"])
        for presenter in presenters {
            table.add([
                presenter.identifier, presenter.client,
                GrantText.kind(presenter.clientKind, strength(presenter.clientKind)),
                process(presenter.process, presenter.isStopped),
                document(presenter.name, presenter.reference), presenter.asked ?? "-",
                Timestamp.text(presenter.askedSince) ?? "-",
            ])
        }
        return table
    }

    /// How reliable a client's name is, by the kind of client: enforced or stated; nil if the kind is not a client.
    static func strength(_ kind: String) -> String? {
        switch kind {
        case "run", "flatpak", "snap": "enforced"
        case "unconfined": "stated"
        default: nil
        }
    }

    /// As in `123 (stopped)`; `-` if the process is unknown.
    static func process(_ process: Int?, _ isStopped: Bool?) -> String {
        process.map { "\($0)" + (isStopped == true ? " (stopped)" : "") } ?? "-"
    }

    private static func access(_ item: Wire.ClaimItem) -> String {
        let options = item.options.isEmpty ? "" : " \(item.options.joined(separator: ","))"
        return "\(item.writing ? "write" : "read")\(options) \(document(item.name, item.reference))"
    }

    private static func document(_ name: String?, _ reference: Wire.ItemReference) -> String {
        name ?? "\(TransferText.domain(reference)):\(reference.identifier)"
    }
}
