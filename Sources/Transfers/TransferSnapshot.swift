package import FoundationEssentials
package import HostCore

/// The state of a transfer at one moment, for its waiters and for `docent transfers`.
package struct TransferSnapshot: Hashable, Sendable {
    /// The state of a transfer.
    package enum State: String, Hashable, Sendable {
        /// It waits for its turn.
        case waiting
        case running
        /// It failed, and is retried automatically.
        case retrying
        /// Its domain is offline or not signed in; it continues afterwards.
        case paused
        /// It cannot continue without the user.
        case failed

        /// Whether it waits for something other than its turn, and a user can end that wait.
        package var canBeRetried: Bool { self == .retrying || self == .paused || self == .failed }
    }

    package var identifier: String
    package var key: TransferKey
    /// The document's name.
    package var name: String
    package var state: State
    package var priority: TransferPriority
    /// Bytes of the content that were transferred.
    package var completed: Int64
    package var total: Int64?
    package var bytesPerSecond: Double?
    /// How many attempts were begun.
    package var attempts: Int
    /// How many callers wait for it.
    package var waiters: Int
    /// Why it is not running, for people.
    package var message: String?
    /// When it is tried again.
    package var nextAttempt: Date?
}
