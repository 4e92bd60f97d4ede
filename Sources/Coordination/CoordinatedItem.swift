/// The name of a coordinated item, the same for every client.
///
/// Whoever creates one has already followed links and normalised the case of names. Unlike the `ItemKey` of `Rights`,
/// it can also name an item that does not exist yet.
package struct CoordinatedItem: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The bundle identifier of the provider.
    package let provider: String
    /// The account of the provider; empty when it has only one.
    package let domain: String
    /// The persistent identifier of the item.
    package let identifier: String

    /// Creates a name for an item.
    package init(provider: String, domain: String = "", identifier: String) {
        self.provider = provider
        self.domain = domain
        self.identifier = identifier
    }

    /// Names an item that does not exist yet by its name in a folder. Claims and presenters of it refer to the item
    /// itself once it has appeared (`CoordinationEvent.appeared`).
    package static func absent(_ name: String, in folder: CoordinatedItem) -> CoordinatedItem {
        CoordinatedItem(
            provider: folder.provider, domain: folder.domain, identifier: "\u{0}\(folder.identifier)\u{0}\(name)")
    }

    /// Whether the item does not exist yet.
    package var isAbsent: Bool { identifier.utf8.first == 0 }

    /// A readable form, such as `org.example.Files@work:report.txt`.
    package var description: String {
        let place = domain.isEmpty ? "\(provider):" : "\(provider)@\(domain):"
        guard isAbsent else { return place + identifier }
        return place + identifier.split(separator: "\u{0}").joined(separator: "/")
    }

    /// Compares bytes: canonically equivalent texts (a composed and a decomposed "é") name different items.
    package static func == (left: CoordinatedItem, right: CoordinatedItem) -> Bool {
        left.identifier.isSame(as: right.identifier) && left.provider.isSame(as: right.provider)
            && left.domain.isSame(as: right.domain)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        for var part in [identifier, provider, domain] {
            part.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            // Not a byte of UTF-8, so that neighbouring parts cannot run together.
            hasher.combine(0xFF as UInt8)
        }
    }

    /// The common order of items, by bytes.
    package static func < (left: CoordinatedItem, right: CoordinatedItem) -> Bool {
        if !left.provider.isSame(as: right.provider) {
            return left.provider.utf8.lexicographicallyPrecedes(right.provider.utf8)
        }
        if !left.domain.isSame(as: right.domain) {
            return left.domain.utf8.lexicographicallyPrecedes(right.domain.utf8)
        }
        return left.identifier.utf8.lexicographicallyPrecedes(right.identifier.utf8)
    }
}

extension String {
    /// Whether two texts have the same bytes; `==` also accepts canonically equivalent ones.
    func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) }
}
