import ExtensionHosting
import Rights

/// Whether a change of an account leads to another account of the service, or to another service. Pure.
enum AccountChange {
    // Settings that say how the service is reached, not which one it is.
    private static let others = DomainSettings.ofHost.union([
        DomainSettings.certificateAuthority, DomainSettings.unprotected,
    ])

    /// Compares the user names, where both are known, and the settings of the provider.
    static func isOther(_ before: ProviderDomain?, _ after: ProviderDomain) -> Bool {
        guard let before else { return false }
        if let one = before.credential?.username, let other = after.credential?.username, one != other { return true }
        return own(before) != own(after)
    }

    private static func own(_ domain: ProviderDomain) -> [String: String] {
        domain.settings.filter { !others.contains($0.key) }
    }
}
