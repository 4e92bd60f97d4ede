/// A message to a presenter. A presenter's messages are delivered in the order in which they were sent.
package struct PresenterMessage: Hashable, Sendable {
    /// The name of a message; never used twice in the same state.
    package struct Identifier: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number.
        package let rawValue: UInt64

        /// Creates a name from a number.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// Compares the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The kinds of messages.
    package enum Kind: Hashable, Sendable {
        /// Relinquish the item to a reader.
        case relinquishToReader
        /// Relinquish the item to a writer.
        case relinquishToWriter
        /// Save unsaved changes.
        case saveChanges
        /// The item, or a folder around it, is about to be deleted or replaced.
        case accommodateDeletion
        /// An item inside the presented package is about to be deleted or replaced.
        case accommodateSubitemDeletion
        /// The local content is about to be removed.
        case accommodateEviction
        /// Reacquire the item: the access that the relinquish message was sent for has ended.
        case reacquire(relinquish: Identifier)
        /// The content or attributes changed.
        case didChange
        /// The item was moved.
        case didMove(to: CoordinatedItem)
        /// The item was deleted.
        case didDelete
        case subitemDidAppear
        case subitemDidChange
        case subitemDidMove(to: CoordinatedItem)
        case didGainVersion(String)
        case didLoseVersion(String)
        case didResolveConflict(String)
        case subitemDidGainVersion(String)
        case subitemDidLoseVersion(String)
        case subitemDidResolveConflict(String)

        /// Whether the message must be answered.
        package var needsAnswer: Bool {
            switch self {
            case .relinquishToReader, .relinquishToWriter, .saveChanges, .accommodateDeletion,
                .accommodateSubitemDeletion, .accommodateEviction:
                true
            default: false
            }
        }

        /// Whether it asks the presenter to relinquish the item; a message to reacquire it follows later.
        package var isRelinquish: Bool { self == .relinquishToReader || self == .relinquishToWriter }
    }

    /// What caused a message.
    package enum Origin: Hashable, Sendable {
        /// A claim.
        case claim(Claim.Identifier)
        /// An uncoordinated change.
        case outside
        /// A notification from the provider.
        case provider
    }

    /// The message's name.
    package let id: Identifier
    /// The presenter that receives it.
    package let presenter: Presenter.Identifier
    /// The kind of message.
    package let kind: Kind
    /// The item concerned: the presented one, one inside it, or one around it. For moves, the item before the move.
    package let subject: CoordinatedItem
    /// What caused the message.
    package let origin: Origin

    /// Creates a message.
    package init(
        id: Identifier, presenter: Presenter.Identifier, kind: Kind, subject: CoordinatedItem, origin: Origin
    ) {
        self.id = id
        self.presenter = presenter
        self.kind = kind
        self.subject = subject
        self.origin = origin
    }

    /// Whether the presenter must answer.
    package var needsAnswer: Bool { kind.needsAnswer }
}
