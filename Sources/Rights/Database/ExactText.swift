/// A text that equals only the same bytes, as in the database: identifiers, names, versions and page tokens of
/// providers, of which two that look alike ("é" composed or not) are two. Swift's strings count as equal then.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    package let text: String

    /// A text as it stands.
    package init(_ text: String) { self.text = text }

    /// A text as it stands.
    package init(stringLiteral text: String) { self.text = text }

    /// Whether the bytes are the same.
    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isSame(as: right.text) }

    /// By bytes.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// Whether two texts have the same bytes; `==` would take canonically equivalent ones as equal.
    package func isSame(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether the first bytes are those of a prefix; `hasPrefix` would take canonically equivalent ones as equal.
    package func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Hashes the bytes: a provider cannot make up texts that collide by looking alike, as it could if the text were
    /// hashed.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No byte of UTF-8: what follows does not run into it.
        hasher.combine(0xFF as UInt8)
    }

    /// Whether the text holds no NUL.
    package var isStorable: Bool { !utf8.contains(0) }
}

extension String? {
    /// Whether both are missing, or have the same bytes.
    package func isSame(as other: String?) -> Bool {
        switch (self, other) {
        case (let left?, let right?): left.isSame(as: right)
        case (nil, nil): true
        default: false
        }
    }
}
