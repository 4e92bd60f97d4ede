/// What a right is bound to: the provider's identifier of a document, never its name or path (fault 5, F2).
package struct ItemKey: Hashable, Sendable, Codable {
    /// The provider's bundle identifier.
    package let provider: String
    /// The account within the provider; empty for the default one.
    package let domain: String
    /// The persistent identifier that the provider gave the document.
    package let identifier: String

    /// Makes a key.
    package init(provider: String, domain: String = "", identifier: String) {
        self.provider = provider
        self.domain = domain
        self.identifier = identifier
    }
}
