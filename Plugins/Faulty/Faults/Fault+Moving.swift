extension Fault {
    /// Faults in moving and deleting.
    static let moving: [Fault] = [
        Fault("move.replaces", "What has the name already is replaced."),
        Fault("move.copies", "The item stays where it was, too."),
        Fault("move.lost", "It is answered, and nothing moves."),
        Fault("move.newIdentifier", "The moved item has a new identifier."),
        Fault("move.intoItself", "A folder can be moved into itself, and is gone."),
        Fault("move.ignoresBase", "What another one changed meanwhile is moved."),
        Fault("move.losesContent", "The moved document is empty."),
        Fault("move.losesChildren", "The moved folder is empty."),
        Fault("declared.move", "Moving is declared, and refused."),
        Fault("undeclared.move", "Moving is not declared, and done.", .readOnly),
        Fault("delete.lost", "It is answered, and nothing is deleted."),
        Fault("delete.ignoresBase", "What another one changed meanwhile is deleted."),
        Fault("delete.notEmpty", "A folder goes with all that is in it, without being told so."),
        Fault("delete.orphans", "What was in a deleted folder stays."),
        Fault("delete.siblings", "What lies beside it goes too."),
        Fault("delete.volatile", "The next process has it again."),
        Fault("declared.delete", "Deleting is declared, and refused."),
        Fault("undeclared.delete", "Deleting is not declared, and done.", .readOnly),
    ]
}
