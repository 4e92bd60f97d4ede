import DocentTestSupport
import Faulty

/// The special conditions of a fault when it is shown to the daemon.
struct FaultyPlan: Sendable {
    let fault: ProviderFault

    /// The script that shows it: some need another fault to occur.
    var script: String {
        switch fault.name {
        case "create.doubleApply": "create.doubleApply;create.unanswered@once"
        case "modify.doubleApply": "modify.doubleApply;modify.unanswered@once"
        case "fetch.resumeRepeats", "fetch.resumesAnyVersion":
            "\(fault.name);fetch.cut@once:Report.bin"
        case "fetch.cut": "fetch.cut@/2"
        default: fault.name
        }
    }

    /// Changes by others when the first download of the report is cut.
    var deedAtCut: String? { fault.name == "fetch.resumesAnyVersion" ? "touch Report.bin" : nil }

    /// Settings of the domain.
    var settings: [String: String] {
        switch fault.name {
        case "modify.conflictNotKept": ["conflicts": "keep"]
        case "changes.anyAnchor": ["remembers": "20"]
        // A document takes long enough in transit to be cut.
        case "fetch.wholeWhenCut", "create.savedWhenCut", "modify.savedWhenCut": ["latency": "0.5"]
        default: [:]
        }
    }

    /// Whether its provider can do all that the tour does.
    var isForAllSteps: Bool { [.full, .trash].contains(fault.subject) }

    /// Why a fault cannot show, if so: the daemon never makes the call that it waits for.
    var unseen: String? {
        if fault.name.hasPrefix("range.") { return "the tour reads whole documents" }
        if fault.name.hasPrefix("usage.") || fault.name.hasSuffix(".usage") {
            return "the tour does not ask how much space there is"
        }
        if fault.name.hasPrefix("thumbnail.") { return "the tour asks for no pictures" }
        return Self.unseen[fault.name]
    }

    private static let unseen = [
        "undeclared.write": "what is not declared is not asked for",
        "undeclared.move": "what is not declared is not asked for",
        "undeclared.delete": "what is not declared is not asked for",
        "undeclared.changes": "what is not declared is not asked for",
        "undeclared.trash": "what is not declared is not asked for",
        "undeclared.versions": "what is not declared is not asked for",
        "versions.restoreLost": "what can be fetched is saved again, and not restored by the provider",
        "versions.ignoresBase": "what can be fetched is saved again, and not restored by the provider",
        "fetch.folderSucceeds": "the content of a folder is never asked for",
        "children.ofDocument": "a document is never asked for children",
        "move.intoItself": "the daemon refuses it before the provider is asked",
        "move.ignoresBase": "the daemon names no version when it moves an item",
        "children.ofUnknown": "the daemon asks for the folder first",
    ]

    /// Other content with exactly the same description cannot be detected without a digest of the service.
    var deceivesReaders: Bool {
        [
            "fetch.wrongBytes", "fetch.hole", "fetch.stale", "fetch.mixed", "fetch.resumeRepeats",
            "fetch.resumesAnyVersion", "open.otherFile", "open.short",
        ].contains(fault.name)
    }

    /// Why saved content may differ from the service's, if so: the service reported that it had stored it, or others
    /// are said to have changed it.
    var deceivesWriters: String? { Self.deceptions[fault.name] }

    private static let deceptions: [String: String] = {
        let stored = "it says that it has stored what it has not"
        let names = [
            "create.truncates", "create.wrongBytes", "create.lost", "create.volatile", "modify.truncates",
            "modify.wrongBytes", "modify.lost", "modify.volatile", "modify.appends", "metadata.contentLost",
            "create.savedWhenCut", "modify.savedWhenCut",
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, stored) })
    }()

    /// Whether the steps that lead to it end without an account.
    var endsSignedOut: Bool { fault.name.hasPrefix("signIn") || fault.name == "declared.signIn" }
}
