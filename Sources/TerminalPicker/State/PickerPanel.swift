package import Documents

/// What has the keyboard.
package enum PickerPanel: Sendable, Equatable {
    /// The list, with its filter.
    case list
    /// The name of what is put into the folder.
    case name(TextField, note: String?)
    /// The name of a new folder.
    case newFolder(TextField, note: String?)
    /// What to search in all accounts.
    case search(TextField)
    /// Whether to replace what has the chosen name.
    case replace(name: String, PickerEntry)
    /// Whether the program gets what was chosen.
    case confirm(PickerOutcome)
    /// Whether to refuse the program.
    case refuse
    /// Something that takes time and can be cancelled.
    case work(PickerWork)
    /// A failure of a step, and ways on.
    case problem(PickerProblem)
    case help
}

/// A step that takes time.
package struct PickerWork: Sendable, Equatable {
    /// What is done.
    package enum Kind: Sendable {
        case following
        case lookingUp
        case makingFolder
        case downloading
        case committing
        case signingIn
    }

    package var kind: Kind
    /// What is done, as in `Fetching notes.txt`. It may quote others.
    package var text: String
    package var progress: DownloadProgress?
    /// What to choose when it has succeeded; nil if the step ends elsewhere.
    package var next: PickerOutcome?
}

/// A failure that is shown in place.
package struct PickerProblem: Sendable, Equatable {
    package var error: DocumentsError
    /// The step that failed.
    package var work: PickerWork
    /// The choice with the content that is here; nil if there is none.
    package var copy: PickerOutcome?
    /// When that content was changed, in seconds since 1970.
    package var copyDate: Double?

    /// Whether the step can be repeated.
    package var canRetry: Bool { work.next != nil }
}
