package import Documents

/// A choice in a notification. The raw value is the key on the bus.
package enum NoticeAction: String, Sendable, Hashable {
    case keepMine = "mine"
    case keepTheirs = "theirs"
    case keepBoth = "both"
    case compare
    /// Shows more on a terminal.
    case show
    /// Lets a program go on that is held.
    case allow
    /// A click on the notification itself. It changes nothing: it compares, or shows.
    case standard = "default"

    /// The text of its button.
    var label: String {
        switch self {
        case .keepMine: "Keep mine"
        case .keepTheirs: "Keep theirs"
        case .keepBoth: "Keep both"
        case .compare: "Compare"
        case .show, .standard: "Show"
        case .allow: "Allow for ten minutes"
        }
    }
}

/// A command that a person chose.
package enum NoticeCommand: Sendable, Hashable {
    /// Settles the conflicts of a document, as `docent resolve` with this choice.
    case settle(DocumentLocation, choice: String)
    /// Shows how a version differs from the current content, as `docent diff`.
    case compare(DocumentLocation, version: String)
    /// Lists all conflicts.
    case showConflicts
    /// Lists what is held.
    case showHeld
    /// Lets a program go on.
    case allow(kind: String, client: String)
}
