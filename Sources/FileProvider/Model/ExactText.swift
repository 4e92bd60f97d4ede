/// A text that is compared by its bytes, as services and file systems compare paths and names. Swift's strings are
/// equal as soon as they look the same.
public struct ExactText: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String

    /// Wraps a text.
    public init(_ text: String) { self.text = text }

    /// The text.
    public var description: String { text }

    /// Whether the bytes are the same.
    public static func == (left: ExactText, right: ExactText) -> Bool { left.text.isSame(as: right.text) }

    /// Compares by bytes.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes, so that texts that only look alike do not collide as they would as strings.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        // Never a byte of UTF-8: separates this text from what is hashed next.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether two texts have the same bytes.
    func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) }

    /// The components between slashes, compared by bytes: to Swift, a slash followed by a combining accent is one
    /// character other than a slash.
    var pathComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}
