/// A container or a set of credentials that several providers may share, by consent.
package struct ProviderGroup: Hashable, Sendable, Codable {
    /// What is shared.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// The container of a document group.
        case document
        /// The credentials of a keychain access group.
        case keychain
    }

    /// What is shared.
    package let kind: Kind
    /// The group's name.
    package let name: String

    /// Makes a group.
    package init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }
}
