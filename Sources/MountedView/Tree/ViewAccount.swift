/// An account that has a folder of its own at the top of the view.
package struct ViewAccount: Sendable, Hashable {
    /// The bundle identifier of the provider.
    package var provider: String
    /// Empty for the default domain.
    package var domain: String
    /// The name to show to people.
    package var displayName: String
    /// Whether no right to the whole account allows writing.
    package var isReadOnly: Bool

    package init(provider: String, domain: String, displayName: String, isReadOnly: Bool = false) {
        self.provider = provider
        self.domain = domain
        self.displayName = displayName
        self.isReadOnly = isReadOnly
    }

    /// The same for an account that was only renamed.
    var identifier: String { domain.isEmpty ? provider : provider + "@" + domain }
}
