extension Fault {
    /// Faults of the trash.
    static let trash: [Fault] = [
        Fault("trash.lost", "The item stays where it is, though it is reported as moved to the trash.", .trash),
        Fault("trash.deletes", "The item is deleted, though it is reported as moved to the trash.", .trash),
        Fault("trash.otherItem", "Another item of the folder goes to the trash.", .trash),
        Fault("trash.foreignItems", "Items that were never deleted are listed in the trash.", .trash),
        Fault("trash.ignoresBase", "An item that was changed meanwhile goes to the trash.", .trash),
        Fault("trash.losesChildren", "A restored folder is empty.", .trash),
        Fault("trash.otherName", "An item is restored under another name.", .trash),
        Fault("trash.replaces", "A restored item replaces another one.", .trash),
        Fault("trash.newIdentifier", "A restored item has another identifier.", .trash),
        Fault("trash.copies", "A restored item stays in the trash.", .trash),
        Fault("trash.empties", "Deleting something in the trash empties the trash.", .trash),
        Fault("undeclared.trash", "The trash is not declared but used.", .readOnly),
    ]
}
