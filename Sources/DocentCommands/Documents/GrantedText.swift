import CommandConsole
import Documents

/// Formats what a client has been granted for its user. Pure.
enum GrantedText {
    /// One line: access, lifetime, name, and the reference by which the document is used.
    static func line(_ granted: GrantedDocument) -> String {
        let access = granted.access == .readWrite ? "read-write" : "read-only "
        let lasts = granted.isPersistent ? "lasting  " : "transient"
        let name = granted.name.map { SafeText.escaped($0) } ?? "-"
        let beside =
            granted.companions.isEmpty
            ? "" : " + " + granted.companions.map { SafeText.escaped($0) }.joined(separator: ", ")
        let end = Timestamp.text(granted.expires).map { "  until \($0)" } ?? ""
        return "\(access)  \(lasts)  \(name)\(granted.isFolder ? "/" : "")\(beside)  \(granted.reference.url)\(end)"
    }
}

extension JSONValue {
    /// A grant of the client that asks.
    init(granted: GrantedDocument) {
        self = .object([
            "provider": .string(granted.reference.provider),
            "domain": .string(granted.reference.domain),
            "identifier": .string(granted.reference.identifier),
            "url": .string(granted.reference.url),
            "name": JSONValue(granted.name),
            "isFolder": .bool(granted.isFolder),
            "access": .string(granted.access.rawValue),
            "isPersistent": .bool(granted.isPersistent),
            "isPersistable": .bool(granted.isPersistable),
            "origin": .string(granted.origin),
            "created": JSONValue(Timestamp.text(granted.created)),
            "expires": JSONValue(Timestamp.text(granted.expires)),
            "companions": JSONValue(granted.companions),
        ])
    }
}
