package import DocentInterfaces
package import HostCore
package import Keyring

/// The secret of a domain is stored, but cannot be read now: its keyring is locked or unavailable. That does not show
/// anything about the account, so it is not "not authenticated".
package struct LockedCredential: FailureConvertible, Sendable {
    /// What clients get: `Unavailable`.
    package let failure: Failure

    package init(_ error: KeyringError, _ domain: DomainKey) {
        failure = Failure(
            .unavailable, "\(domain.name) cannot sign in: \(error.description)",
            suggestion: "Unlock the keyring; Docent then continues by itself.", provider: domain.provider)
    }
}
