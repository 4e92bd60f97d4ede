import CommandConsole
import DocentInterfaces

/// The coordination record of docs/json.md.
extension JSONValue {
    /// All claims and presenters.
    init(claims reply: AdministrationInterface.Claims.Reply) {
        self = .object([
            "claims": .array(reply.claims.map(JSONValue.init(claim:))),
            "presenters": .array(reply.presenters.map(JSONValue.init(presenter:))),
        ])
    }

    private init(claim: Wire.Claim) {
        self = .object([
            "operation": .string(claim.operation),
            "state": .string(claim.state),
            "since": JSONValue(Timestamp.text(claim.since)),
            "clientKind": .string(claim.clientKind),
            "strength": JSONValue(ClaimText.strength(claim.clientKind)),
            "client": .string(claim.client),
            "process": JSONValue(claim.process),
            "executable": JSONValue(claim.executable),
            "isStopped": claim.isStopped.map(JSONValue.bool) ?? .null,
            "purpose": JSONValue(claim.purpose),
            "presenter": JSONValue(claim.presenter),
            "items": .array(
                claim.items.map { item in
                    .object([
                        "provider": .string(item.reference.provider),
                        "domain": .string(item.reference.domain),
                        "document": .string(item.reference.identifier),
                        "name": JSONValue(item.name),
                        "access": .string(item.writing ? "write" : "read"),
                        "options": JSONValue(item.options),
                    ])
                }),
            "waitsFor": JSONValue(claim.waitsFor),
        ])
    }

    private init(presenter: Wire.Presenter) {
        self = .object([
            "identifier": .string(presenter.identifier),
            "clientKind": .string(presenter.clientKind),
            "strength": JSONValue(ClaimText.strength(presenter.clientKind)),
            "client": .string(presenter.client),
            "process": JSONValue(presenter.process),
            "isStopped": presenter.isStopped.map(JSONValue.bool) ?? .null,
            "provider": .string(presenter.reference.provider),
            "domain": .string(presenter.reference.domain),
            "document": .string(presenter.reference.identifier),
            "name": JSONValue(presenter.name),
            "unanswered": JSONValue(presenter.asked),
            "unansweredSince": JSONValue(Timestamp.text(presenter.askedSince)),
        ])
    }
}
