import CommandConsole
import DocentInterfaces
import Documents

/// The records of docs/json.md for the trash and for changes that can be taken back.
extension JSONValue {
    /// Something in the trash.
    init(trashed entry: Wire.TrashEntry) {
        self = .object([
            "identifier": .string(entry.identifier),
            "name": .string(entry.name),
            "originalLocation": JSONValue(TrashSurvey.originalLocation(entry)?.description),
            "deletedDate": JSONValue(Timestamp.text(entry.deletionDate)),
            "size": JSONValue(entry.size),
            "isFolder": .bool(entry.isFolder),
            "provider": .string(entry.provider),
            "domain": .string(entry.domain),
        ])
    }

    /// A change.
    init(change: Wire.Change) {
        let after =
            change.kind == "delete" ? nil : ChangeText.location(change, change.folder, change.name)
        self = .object([
            "identifier": .string(change.identifier),
            "kind": .string(change.kind),
            "client": .string(change.client),
            "provider": .string(change.provider),
            "domain": .string(change.domain),
            "name": .string(change.formerName),
            "location": JSONValue(ChangeText.location(change, change.formerFolder, change.formerName)),
            "changedLocation": JSONValue(after),
            "isFolder": .bool(change.isFolder),
            "date": JSONValue(Timestamp.text(change.created)),
        ])
    }
}
