extension Document {
    /// The current state of a document. The raw values are those of `UIDocument.State`.
    public struct State: OptionSet, Sendable, Hashable {
        /// The bit mask.
        public let rawValue: Int

        /// Creates a state from a bit mask.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Open, without problems.
        public static let normal: State = []
        /// Not open: not opened yet, closed, or deleted.
        public static let closed = State(rawValue: 1)
        /// There are conflicting contents: unsaved ones here and others stored, or versions that the daemon keeps
        /// beside the current one. ``Document/resolveConflict(keepingCurrent:)`` ends the conflict.
        public static let inConflict = State(rawValue: 2)
        /// The last save failed, and the changes exist only in this process. The next successful save clears it.
        public static let savingError = State(rawValue: 4)
        /// Editing is disabled while newer contents are being loaded.
        public static let editingDisabled = State(rawValue: 8)
        /// The document is being fetched; see ``Document/progress``.
        public static let progressAvailable = State(rawValue: 16)
    }

    /// The purpose of a save.
    public enum SaveOperation: Int, Sendable, Hashable {
        /// Creates the document; nothing is ever replaced.
        case creating = 0
        /// Gives an existing document new contents.
        case overwriting = 1
    }

    /// A change to the contents.
    public enum ChangeKind: Int, Sendable, Hashable {
        /// An edit was made.
        case done = 0
        /// An edit was undone.
        case undone = 1
        /// An undone edit was redone.
        case redone = 2
        /// All changes count as saved.
        case cleared = 3
    }

    /// The change count at the start of a save (``Document/changeCountToken(for:)``).
    public struct ChangeCountToken: Sendable, Hashable {
        let mark: ChangeCount.Mark
    }

    /// Where to create a document.
    public enum SaveTarget: Sendable, Hashable {
        /// A name in a folder that the user chose. Only for unconfined programs, as for every location.
        case folder(DocumentLocation, name: String)
        /// A name in a folder that the client has a right to.
        case place(DocumentPlace)

        /// The file name; nil when unknown.
        var name: String? {
            switch self {
            case .folder(_, let name): name
            case .place(let place): place.name
            }
        }
    }
}
