/// The identity of a document that rights are bound to: the provider's identifier, never its name or path (fault 5,
/// F2).
package struct ItemKey: Hashable, Sendable, Codable {
    /// The identifier of every domain's topmost folder.
    package static let rootIdentifier = ".root"

    /// The provider's bundle identifier.
    package let provider: String
    /// The account within the provider; empty for the default account.
    package let domain: String
    /// The persistent identifier that the provider gave the document.
    package let identifier: String

    /// Makes a key.
    package init(provider: String, domain: String = "", identifier: String) {
        self.provider = provider
        self.domain = domain
        self.identifier = identifier
    }

    /// Two keys are equal when their bytes are, as in the database: texts that only look alike ("é" composed or not)
    /// name two documents.
    package static func == (left: ItemKey, right: ItemKey) -> Bool {
        left.identifier.isSame(as: right.identifier) && left.provider.isSame(as: right.provider)
            && left.domain.isSame(as: right.domain)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        identifier.hashBytes(into: &hasher)
        provider.hashBytes(into: &hasher)
        domain.hashBytes(into: &hasher)
    }

    /// Whether the database can store it: SQLite ends a text at a NUL, where two identifiers could become one.
    package var isStorable: Bool {
        provider.isStorable && domain.isStorable && identifier.isStorable && !identifier.isEmpty
    }

    /// Another item of the same domain.
    package func sibling(_ identifier: String) -> ItemKey {
        ItemKey(provider: provider, domain: domain, identifier: identifier)
    }
}
