extension Fault {
    /// Faults in moving and deleting.
    static let moving: [Fault] = [
        Fault("move.replaces", "An existing item with the name is replaced."),
        Fault("move.copies", "The item stays where it was, too."),
        Fault("move.lost", "It is confirmed, but nothing is moved."),
        Fault("move.newIdentifier", "The moved item has a new identifier."),
        Fault("move.intoItself", "A folder can be moved into itself, and is lost."),
        Fault("move.ignoresBase", "An item that was changed meanwhile is moved."),
        Fault("move.losesContent", "The moved document is empty."),
        Fault("move.losesChildren", "The moved folder is empty."),
        Fault("declared.move", "Moving is declared but refused."),
        Fault("undeclared.move", "Moving is not declared but done.", .readOnly),
        Fault("delete.lost", "It is confirmed, but nothing is deleted."),
        Fault("delete.ignoresBase", "An item that was changed meanwhile is deleted."),
        Fault("delete.notEmpty", "A folder that is not empty is deleted without `recursive`."),
        Fault("delete.orphans", "The contents of a deleted folder remain."),
        Fault("delete.siblings", "Its siblings are deleted, too."),
        Fault("delete.volatile", "The next process has it again."),
        Fault("declared.delete", "Deleting is declared but refused."),
        Fault("undeclared.delete", "Deleting is not declared but done.", .readOnly),
    ]
}
