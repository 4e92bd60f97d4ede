import DocentInterfaces
import Documents

/// The records of docs/json.md that are about signing in and out.
extension JSONValue {
    /// What `docent login` did.
    init(login reply: AdministrationInterface.Login.Reply) {
        self = .object([
            "domain": reply.domain.map(JSONValue.init(domain:)) ?? .null,
            "storage": reply.storage.map(JSONValue.init(storage:)) ?? .null,
        ])
    }

    /// Where a secret lies.
    init(storage: Wire.CredentialStorage) {
        self = .object([
            "rung": .string(storage.rung),
            "name": .string(storage.name),
            "isWritable": .bool(storage.isWritable),
            "protection": .string(storage.protection),
            "reason": .string(storage.reason),
            "remedy": JSONValue(storage.remedy),
        ])
    }

    /// What `docent logout` did.
    init(logout reply: AdministrationInterface.Logout.Reply, wasSignedOut: Bool) {
        self = .object([
            "domain": reply.domain.map(JSONValue.init(domain:)) ?? .null,
            "wasSignedOut": .bool(wasSignedOut),
            "kept": .array((reply.kept ?? []).map(JSONValue.init(version:))),
            "discarded": .integer(reply.discarded ?? 0),
            "openDescriptors": .integer(reply.openDescriptors ?? 0),
            "left": JSONValue(reply.left),
        ])
    }
}
