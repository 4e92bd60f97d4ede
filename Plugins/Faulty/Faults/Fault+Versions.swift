extension Fault {
    /// Faults of the history of documents.
    static let versions: [Fault] = [
        Fault("versions.hang", "The list of earlier versions never comes.", .trash),
        Fault("versions.repeats", "An earlier version is listed twice.", .trash),
        Fault("versions.neverEnds", "There is always another page of earlier versions.", .trash),
        Fault("versions.current", "The current content is listed as an earlier version.", .trash),
        Fault("versions.gone", "The content of a listed version is gone.", .trash),
        Fault("versions.short", "The last byte of an earlier content is missing.", .trash),
        Fault("versions.long", "A byte follows an earlier content.", .trash),
        Fault("versions.restoreLost", "Nothing is restored, though it is reported as restored.", .trash),
        Fault("versions.ignoresBase", "A document that was changed meanwhile is replaced.", .trash),
        Fault("undeclared.versions", "Earlier versions are not declared but listed.", .readOnly),
    ]
}
