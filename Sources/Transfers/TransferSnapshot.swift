package import FoundationEssentials
package import HostCore

/// A transfer as it is at one moment, for those who wait for it and for `docent transfers`.
package struct TransferSnapshot: Hashable, Sendable {
    /// How far it is.
    package enum State: String, Hashable, Sendable {
        /// It waits for its turn.
        case waiting
        case running
        /// It failed, and is tried again by itself.
        case retrying
        /// Its domain is offline or not signed in; it goes on when that is over.
        case paused
        /// It cannot go on without the user.
        case failed

        /// Whether it waits for something else than its turn, which a user may cut short.
        package var canBeRetried: Bool { self == .retrying || self == .paused || self == .failed }
    }

    package var identifier: String
    package var key: TransferKey
    /// The document's name.
    package var name: String
    package var state: State
    package var priority: TransferPriority
    /// Bytes of the content that are there.
    package var completed: Int64
    package var total: Int64?
    package var bytesPerSecond: Double?
    /// How often it was begun.
    package var attempts: Int
    /// How many wait for it.
    package var waiters: Int
    /// Why it is not running, in words.
    package var message: String?
    /// When it is tried again.
    package var nextAttempt: Date?
}
