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
            "finalDate": JSONValue(Timestamp.text(entry.finalDate)),
            "size": JSONValue(entry.size),
            "isFolder": .bool(entry.isFolder),
            "provider": .string(entry.provider),
            "domain": .string(entry.domain),
        ])
    }

    /// The outcome of a deletion by `docent rm`.
    init(deletion done: PickerInterface.DeleteItem.Reply, of location: DocumentLocation) {
        let outcome = done.trashed == true ? "trashed" : done.finalDate == nil ? "deleted" : "pending"
        self = .object([
            "location": .string(location.description),
            "outcome": .string(outcome),
            "finalDate": JSONValue(Timestamp.text(done.finalDate)),
        ])
    }

    /// For how long deletions can be taken back.
    init(periods rules: [Wire.DeletionRule], isFixed: Bool) {
        self = .object([
            "rules": .array(
                rules.map { rule in
                    .object([
                        "provider": JSONValue(rule.provider), "domain": JSONValue(rule.domain),
                        "seconds": .integer(rule.seconds),
                    ])
                }),
            "isFixed": .bool(isFixed),
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
