/// The steps of logins and logouts that are durable, as tests interrupt them.
package enum SignInCheckpoint: String, CaseIterable, Sendable {
    /// Login: the service took it; nothing is kept.
    case loginTaken
    /// Login: the secret is stored; nothing refers to it.
    case secretStored
    /// Login: the domain has it.
    case loginRecorded
    /// Logout: what could be sent was sent; nothing is decided.
    case drained
    /// Logout: decided; nobody is let in from here.
    case signingOutRecorded
    /// Logout: what was not sent is kept or dropped.
    case unsentSettled
    /// Logout: the credential is deleted.
    case credentialDeleted
    /// Logout: copies, placeholders and all that was known are gone.
    case copiesRemoved
    /// Logout: done.
    case signedOutRecorded

    /// Whether it belongs to a logout.
    package var isOfLogout: Bool {
        switch self {
        case .loginTaken, .secretStored, .loginRecorded: false
        default: true
        }
    }
}

/// Called after each step; tests end the process there. Does nothing in production.
package typealias SignInCrashPoint = @Sendable (SignInCheckpoint) -> Void
