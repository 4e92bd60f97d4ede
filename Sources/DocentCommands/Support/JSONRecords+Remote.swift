import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation

/// The records of docs/json.md for accounts, transfers and kept versions.
extension JSONValue {
    init(domain: Wire.Domain) { self = .object(Self.record(domain)) }

    private static func record(_ domain: Wire.Domain) -> JSONMembers {
        [
            "provider": .string(domain.provider),
            "identifier": .string(domain.identifier),
            "displayName": .string(domain.displayName),
            "folder": JSONValue(domain.folder),
            "url": JSONValue(domain.settings?["url"].map(ShownSettings.withoutPassword)),
            "isUnprotected": .bool(PlainAddress.isUnprotected(domain)),
            "username": JSONValue(domain.settings?["username"]),
            "state": JSONValue(domain.state),
            "message": JSONValue(domain.message),
            "pending": .integer(domain.pendingChanges ?? 0),
            "failed": .integer(domain.failedChanges ?? 0),
            "localBytes": JSONValue(domain.localBytes),
            "credential": JSONValue(domain.credential),
        ]
    }

    /// A domain with its settings; a value that is left out is null.
    init(settingsOf domain: Wire.Domain) {
        var record = Self.record(domain)
        record["settings"] = .object(
            JSONMembers(ShownSettings(domain.settings ?? [:]).values.map { ($0.key, JSONValue($0.value)) }))
        self = .object(record)
    }

    init(transfer: Wire.Transfer) {
        self = .object([
            "identifier": .string(transfer.identifier),
            "kind": .string(transfer.kind),
            "state": .string(transfer.state),
            "priority": .string(transfer.priority),
            "provider": .string(transfer.reference.provider),
            "domain": .string(transfer.reference.domain),
            "document": .string(transfer.reference.identifier),
            "name": .string(transfer.name),
            "completedBytes": .integer(transfer.completedBytes),
            "totalBytes": JSONValue(transfer.totalBytes),
            "bytesPerSecond": transfer.bytesPerSecond.map(JSONValue.number) ?? .null,
            "attempts": .integer(transfer.attempts),
            "waiters": .integer(transfer.waiters),
            "message": JSONValue(transfer.message),
            "nextAttempt": JSONValue(Timestamp.text(transfer.nextAttempt)),
        ])
    }

    /// A kept version.
    init(version: Wire.Version) {
        self = .object([
            "identifier": .string(version.identifier),
            "provider": .string(version.reference.provider),
            "domain": .string(version.reference.domain),
            "document": .string(version.reference.identifier),
            "name": .string(version.name),
            "reason": .string(version.reason),
            "size": .integer(version.size),
            "created": JSONValue(Timestamp.text(version.created)),
            "isUnresolved": .bool(version.isUnresolved ?? false),
            "savedBy": JSONValue(version.savedBy),
            "savedOn": JSONValue(version.host),
        ])
    }
}
