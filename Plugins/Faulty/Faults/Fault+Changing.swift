extension Fault {
    /// Faults in reporting changes.
    static let changing: [Fault] = [
        Fault("changes.lost", "New and changed items are not told."),
        Fault("changes.lostDeletion", "Deleted items are not told."),
        Fault("changes.anchorStands", "The anchor never moves."),
        Fault("changes.anyAnchor", "An anchor that nobody gave brings: nothing changed."),
        Fault("changes.neverEnds", "There always is more."),
        Fault("changes.phantomDeletion", "Something that is there is told as deleted."),
        Fault("changes.stale", "Changed items are described as they were."),
        Fault("changes.notAfterRestart", "After a restart every anchor is the newest."),
        Fault("changes.overtaken", "With several pages of changes the last is left out."),
        Fault("changes.lostForOthers", "What others did is not among the changes."),
        Fault("declared.changes", "Changes are declared, and refused."),
        Fault("undeclared.changes", "Changes are not declared, and told.", .readOnly),
        Fault(
            "events.storm", "Thousands of news of things that are not there, with every call.", value: "how many, 3000"),
        Fault("events.phantomDeletion", "What was changed is told as deleted."),
        Fault("observe.nothing", "Watching is answered, and nothing is watched."),
        Fault("observe.unknownCrashes", "Watching what is not there ends the process.", needsProcess: true),
    ]
}
