/// The durable steps of logins and logouts at which tests interrupt them.
package enum SignInCheckpoint: String, CaseIterable, Sendable {
    /// Login: the service accepted the credential; nothing is stored.
    case loginTaken
    /// Login: the secret is stored; nothing refers to it.
    case secretStored
    /// Login: recorded for the domain.
    case loginRecorded
    /// Logout: everything that could be sent was sent; nothing is decided.
    case drained
    /// Logout: decided; access is refused from here on.
    case signingOutRecorded
    /// Logout: unsent changes are kept or dropped.
    case unsentSettled
    /// Logout: the credential is deleted.
    case credentialDeleted
    /// Logout: copies, placeholders and the index entries are removed.
    case copiesRemoved
    /// Logout: done.
    case signedOutRecorded

    /// Whether it is a step of a logout.
    package var isOfLogout: Bool {
        switch self {
        case .loginTaken, .secretStored, .loginRecorded: false
        default: true
        }
    }
}

/// Called after each step; tests end the process there. Does nothing in production.
package typealias SignInCrashPoint = @Sendable (SignInCheckpoint) -> Void
