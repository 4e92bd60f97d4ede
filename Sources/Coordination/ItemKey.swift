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

    /// Stands for an item that is not there yet: a name in a folder. Claims and presenters of it mean the item itself as soon
    /// as it has appeared (`CoordinationEvent.appeared`).
    package static func absent(_ name: String, in folder: ItemKey) -> ItemKey {
        ItemKey(provider: folder.provider, domain: folder.domain, identifier: "\u{0}\(folder.identifier)\u{0}\(name)")
    }

    /// Whether it stands for an item that is not there yet.
    package var isAbsent: Bool { identifier.utf8.first == 0 }

    /// A form for people, such as `org.example.Files@work:report.txt`.
    package var description: String {
        let place = domain.isEmpty ? "\(provider):" : "\(provider)@\(domain):"
        guard isAbsent else { return place + identifier }
        return place + identifier.split(separator: "\u{0}").joined(separator: "/")
    }

    /// The one order in which everybody lists items.
    package static func < (left: ItemKey, right: ItemKey) -> Bool {
        (left.provider, left.domain, left.identifier) < (right.provider, right.domain, right.identifier)
    }
}
