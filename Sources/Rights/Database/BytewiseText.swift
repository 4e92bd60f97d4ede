/// A text that equals only the same bytes, as in the database. Providers' identifiers, names, versions and page tokens
/// are such texts: two that look alike ("é" composed or not) are different, although Swift's strings would be equal.
///
/// The SDK for providers has `ExactText` for the same purpose. It is part of a public interface, so it cannot be
/// declared here, and the host may not import the SDK.
package struct BytewiseText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// The text, unchanged.
    package let text: String

    /// Wraps a text.
    package init(_ text: String) { self.text = text }

    /// Wraps a literal.
    package init(stringLiteral text: String) { self.text = text }

    /// Whether the bytes are the same.
    package static func == (left: BytewiseText, right: BytewiseText) -> Bool { left.text.isSame(as: right.text) }

    /// Compares the bytes.
    package static func < (left: BytewiseText, right: BytewiseText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// Whether two texts have the same bytes; `==` treats canonically equivalent ones as equal.
    package func isSame(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether the text begins with the bytes of a prefix; `hasPrefix` treats canonically equivalent ones as equal.
    package func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Hashes the bytes. If the text were hashed, a provider could invent texts that collide because they look alike.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Not a byte of UTF-8: it separates the text from what is hashed next.
        hasher.combine(0xFF as UInt8)
    }

    /// Whether the text contains no NUL.
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
