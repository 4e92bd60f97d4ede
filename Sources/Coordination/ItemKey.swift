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

    /// Stands for an item that is not there yet: a name in a folder. Claims and presenters of it mean the item itself
    /// as soon as it has appeared (`CoordinationEvent.appeared`).
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

    /// Two are the same when their bytes are: texts that only look alike ("é" composed or not) name two items.
    package static func == (left: ItemKey, right: ItemKey) -> Bool {
        left.identifier.isSame(as: right.identifier) && left.provider.isSame(as: right.provider)
            && left.domain.isSame(as: right.domain)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        for var part in [identifier, provider, domain] {
            part.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            // No byte of UTF-8: what follows does not run into it.
            hasher.combine(0xFF as UInt8)
        }
    }

    /// The one order in which everybody lists items: by bytes.
    package static func < (left: ItemKey, right: ItemKey) -> Bool {
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
    /// Whether two texts have the same bytes; `==` would take canonically equivalent ones as equal.
    func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) }
}
