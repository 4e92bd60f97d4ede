/// An account that has a folder of its own at the top of the view.
package struct ViewAccount: Sendable, Hashable {
    /// The bundle identifier of the provider.
    package var provider: String
    /// Empty for the default domain.
    package var domain: String
    /// The name to show to people.
    package var displayName: String

    package init(provider: String, domain: String, displayName: String) {
        self.provider = provider
        self.domain = domain
        self.displayName = displayName
    }

    /// The same for an account that was only renamed.
    var identifier: String { domain.isEmpty ? provider : provider + "@" + domain }
}
