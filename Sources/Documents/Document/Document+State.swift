extension Document {
    /// What a document is like at the moment (3.6; the raw values are those of `UIDocument.State`).
    public struct State: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int

        /// A state from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Open, and nothing is wrong.
        public static let normal: State = []
        /// Not open: not opened yet, closed, or deleted by somebody.
        public static let closed = State(rawValue: 1)
        /// There are two contents of it: what is stored and what is here, or versions that the daemon keeps beside the current
        /// one. ``Document/resolveConflict(keepingCurrent:)`` ends it.
        public static let inConflict = State(rawValue: 2)
        /// The last attempt to save it failed; its changes are here alone. The next that succeeds ends it.
        public static let savingError = State(rawValue: 4)
        /// It must not be edited now, because its contents are being replaced by newer ones.
        public static let editingDisabled = State(rawValue: 8)
        /// It is being fetched, and ``Document/progress`` tells how far that is.
        public static let progressAvailable = State(rawValue: 16)
    }

    /// What a save is for (3.6).
    public enum SaveOperation: Int, Sendable, Hashable {
        /// The document is made, where nothing was; nothing is ever replaced.
        case creating = 0
        /// The document is there already, and gets new contents.
        case overwriting = 1
    }

    /// What happened to the contents (3.6).
    public enum ChangeKind: Int, Sendable, Hashable {
        /// They were edited.
        case done = 0
        /// An edit was undone.
        case undone = 1
        /// An undone edit was done again.
        case redone = 2
        /// Everything counts as saved.
        case cleared = 3
    }

    /// What was counted when a save began (``Document/changeCountToken(for:)``).
    public struct ChangeCountToken: Sendable, Hashable {
        let mark: ChangeCount.Mark
    }

    /// Where a document is to be created.
    public enum SaveTarget: Sendable, Hashable {
        /// A folder that the user chose, and a name in it. Only for unconfined programs, as is every location (I1).
        case folder(DocumentLocation, name: String)
        /// A name in a folder to which the client has the right.
        case place(DocumentPlace)

        /// The file's name, where it is known.
        var name: String? {
            switch self {
            case .folder(_, let name): name
            case .place(let place): place.name
            }
        }
    }
}
