/// The name of an item that is coordinated, the same for every client.
///
/// Whoever makes one has already followed links and settled the case of names (SEMANTICS 2.3).
package struct ItemKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The bundle identifier of the provider.
    package let provider: String
    /// The account of the provider; empty when it has only one.
    package let domain: String
    /// The persistent identifier of the item.
    package let identifier: String

    /// Names an item.
    package init(provider: String, domain: String = "", identifier: String) {
        self.provider = provider
        self.domain = domain
        self.identifier = identifier
    }

    /// A form for people, such as `org.example.Files@work:report.txt`.
    package var description: String {
        domain.isEmpty ? "\(provider):\(identifier)" : "\(provider)@\(domain):\(identifier)"
    }

    /// The one order in which everybody lists items.
    package static func < (left: ItemKey, right: ItemKey) -> Bool {
        (left.provider, left.domain, left.identifier) < (right.provider, right.domain, right.identifier)
    }
}
