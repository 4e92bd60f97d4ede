extension Fault {
    /// Faults in reporting changes.
    static let changing: [Fault] = [
        Fault("changes.lost", "New and changed items are not reported."),
        Fault("changes.lostDeletion", "Deleted items are not reported."),
        Fault("changes.anchorStands", "The anchor never changes."),
        Fault("changes.anyAnchor", "An invalid anchor is answered with no changes."),
        Fault("changes.neverEnds", "There are always more changes."),
        Fault("changes.phantomDeletion", "An existing item is reported as deleted."),
        Fault("changes.stale", "Changed items are described as they were."),
        Fault("changes.notAfterRestart", "After a restart every anchor is the newest."),
        Fault("changes.overtaken", "The last of several pages of changes is left out."),
        Fault("changes.lostForOthers", "Changes by others are not reported."),
        Fault("declared.changes", "Changes are declared but refused."),
        Fault("undeclared.changes", "Changes are not declared but reported.", .readOnly),
        Fault(
            "events.storm", "Every call causes thousands of events about missing items.", value: "how many, 3000"),
        Fault("events.phantomDeletion", "Changed items are reported as deleted."),
        Fault("observe.nothing", "Observing is confirmed, but nothing is reported."),
        Fault("observe.unknownCrashes", "Observing a missing item ends the process.", needsProcess: true),
    ]
}
