import CommandConsole
import DocentInterfaces

/// The audit records of docs/json.md.
extension JSONValue {
    /// An audit entry.
    init(entry: Wire.LogEntry) {
        self = .object([
            "id": .integer(entry.id),
            "event": .string(entry.event),
            "client": .string(entry.client),
            "clientKind": .string(entry.clientKind),
            "strength": .string(entry.strength),
            "provider": .string(entry.provider),
            "domain": .string(entry.domain),
            "identifier": .string(entry.identifier),
            "name": JSONValue(entry.name),
            "access": .string(entry.access),
            "detail": .string(entry.detail),
            "grant": JSONValue(entry.grant),
            "process": JSONValue(entry.process),
            "executable": JSONValue(entry.executable),
            "count": .integer(entry.count),
            "first": JSONValue(Timestamp.text(entry.first)),
            "last": JSONValue(Timestamp.text(entry.last)),
        ])
    }

    /// Who can access an item, and who caused its last download.
    init(why reply: AdministrationInterface.Why.Reply) {
        self = .object([
            "provider": .string(reply.item.reference.provider),
            "domain": .string(reply.item.reference.domain),
            "identifier": .string(reply.item.reference.identifier),
            "name": .string(reply.item.name),
            "grants": .array(reply.grants.map(JSONValue.init(grant:))),
            "lastDownload": reply.lastDownload.map(JSONValue.init(entry:)) ?? .null,
            "sentences": JSONValue(reply.sentences),
        ])
    }
}
