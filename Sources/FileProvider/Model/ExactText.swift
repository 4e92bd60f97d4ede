/// A text that equals only one with the same bytes: paths and names as services and file systems have them, where Swift's
/// strings are equal already when they would look the same.
public struct ExactText: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String

    /// A text as it stands.
    public init(_ text: String) { self.text = text }

    /// The text.
    public var description: String { text }

    /// Whether the bytes are the same.
    public static func == (left: ExactText, right: ExactText) -> Bool { left.text.isSame(as: right.text) }

    /// By bytes.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes: texts that look alike are not made to collide, as hashing the string would.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        // No byte of UTF-8: what follows does not run into it.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether two texts have the same bytes.
    func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) }

    /// What lies between the slashes, byte by byte: a slash with an accent after it is one character to Swift, and no slash.
    var pathComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}
