/// An account that has a folder of its own at the top of the view.
package struct ViewAccount: Sendable, Hashable {
    /// The bundle identifier of the provider.
    package var provider: String
    /// Empty for the default domain.
    package var domain: String
    /// The name to show to people.
    package var displayName: String
    /// What may be written in it.
    package var writing: Writing

    /// What a right allows to write.
    package enum Writing: UInt64, Sendable {
        /// Everything.
        case all
        /// Only what has a right of its own.
        case some
        case nothing
    }

    package init(provider: String, domain: String, displayName: String, writing: Writing = .all) {
        self.provider = provider
        self.domain = domain
        self.displayName = displayName
        self.writing = writing
    }

    /// The same for an account that was only renamed.
    var identifier: String { domain.isEmpty ? provider : provider + "@" + domain }
}
