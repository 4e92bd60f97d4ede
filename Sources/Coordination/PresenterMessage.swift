/// One message to one presenter (SEMANTICS 2.4). Messages of one presenter are delivered in the order in which they are
/// sent.
package struct PresenterMessage: Hashable, Sendable {
    /// The name of a message; never used twice in one state.
    package struct Identifier: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number itself.
        package let rawValue: UInt64

        /// Makes a name from a number.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The order of the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is said.
    package enum Kind: Hashable, Sendable {
        /// Let go: somebody reads.
        case relinquishToReader
        /// Let go: somebody writes.
        case relinquishToWriter
        /// Save what is not saved.
        case saveChanges
        /// The item, or a folder around it, is going to be deleted or replaced.
        case accommodateDeletion
        /// Something inside the presented package is going to be deleted or replaced.
        case accommodateSubitemDeletion
        /// The local content is going to be removed.
        case accommodateEviction
        /// Take it back: what the relinquish message was sent for is over.
        case reacquire(relinquish: Identifier)
        /// Content or attributes changed.
        case didChange
        /// It is somewhere else.
        case didMove(to: ItemKey)
        /// It is gone.
        case didDelete
        case subitemDidAppear
        case subitemDidChange
        case subitemDidMove(to: ItemKey)
        case didGainVersion(String)
        case didLoseVersion(String)
        case didResolveConflict(String)
        case subitemDidGainVersion(String)
        case subitemDidLoseVersion(String)
        case subitemDidResolveConflict(String)

        /// Whether somebody waits for the answer.
        package var needsAnswer: Bool {
            switch self {
            case .relinquishToReader, .relinquishToWriter, .saveChanges, .accommodateDeletion,
                .accommodateSubitemDeletion, .accommodateEviction:
                true
            default: false
            }
        }

        /// Whether it asks the presenter to let go, so that it is told to reacquire later.
        package var isRelinquish: Bool { self == .relinquishToReader || self == .relinquishToWriter }
    }

    /// Whence it comes.
    package enum Origin: Hashable, Sendable {
        /// From a claim.
        case claim(Claim.Identifier)
        /// From a change that nobody coordinated.
        case outside
        /// From the provider's news.
        case provider
    }

    /// The name of this message.
    package let id: Identifier
    /// To whom it goes.
    package let presenter: Presenter.Identifier
    /// What it says.
    package let kind: Kind
    /// The item in question: the presented one, one inside it, or one around it. For moves: as it was before.
    package let subject: ItemKey
    /// Whence it comes.
    package let origin: Origin

    /// Describes a message.
    package init(
        id: Identifier, presenter: Presenter.Identifier, kind: Kind, subject: ItemKey, origin: Origin
    ) {
        self.id = id
        self.presenter = presenter
        self.kind = kind
        self.subject = subject
        self.origin = origin
    }

    /// Whether the presenter has to answer.
    package var needsAnswer: Bool { kind.needsAnswer }
}
