/// A uniform type identifier, such as `public.jpeg`.
///
/// Two values are equal when their identifiers differ only in case or in characters that have no width and no
/// meaning (some manifests contain them; SEMANTICS 6 and 7.2). The spelling that was given is kept. What a type
/// conforms to is a matter of a ``UniformTypeRegistry``: an identifier alone says nothing.
public struct UniformType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier as it was spelled.
    public let identifier: String

    /// The identifier in the form that is compared.
    let key: String

    /// Makes a type from an identifier.
    ///
    /// - Parameter identifier: a reverse DNS name, see ``isValidIdentifier(_:)``.
    /// - Returns: nil when the identifier breaks the syntax. A type that nobody declares is not an error.
    public init?(_ identifier: String) {
        guard Self.isValidIdentifier(identifier) else { return nil }
        self.init(checked: identifier)
    }

    /// Makes a type from an identifier that is known to keep the syntax.
    init(checked identifier: String) {
        self.identifier = identifier
        let key = Self.comparisonKey(of: identifier)
        self.key = key == identifier ? identifier : key
    }

    /// The identifier.
    public var description: String { identifier }

    /// Whether the identifier stands for a tag that nobody declared
    /// (``UniformTypeRegistry/type(filenameExtension:isDirectory:)``).
    public var isDynamic: Bool { key.hasPrefix(DynamicTag.prefix) }

    /// Whether the text keeps the syntax of an identifier (7.2): letters, digits, `-`, `.` and any character above
    /// U+007F, in labels that are separated by one dot each and are not empty.
    public static func isValidIdentifier(_ text: String) -> Bool {
        var labelIsEmpty = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case ".":
                if labelIsEmpty { return false }
                labelIsEmpty = true
            case "a"..."z", "A"..."Z", "0"..."9", "-":
                labelIsEmpty = false
            case _ where scalar.value > 0x7F:
                if !hasNoWidth(scalar) { labelIsEmpty = false }
            default:
                return false
            }
        }
        return !labelIsEmpty
    }

    private static func comparisonKey(of text: String) -> String {
        if text.isLowerASCII { return text }
        var visible = String.UnicodeScalarView()
        visible.append(contentsOf: text.unicodeScalars.lazy.filter { !hasNoWidth($0) })
        return String(visible).lowercased()
    }

    private static func hasNoWidth(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x7F && (scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{FEFF}")
    }

    /// Whether both identifiers name the same type.
    public static func == (left: UniformType, right: UniformType) -> Bool { left.key == right.key }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// Reads a plain string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when the string is not an identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard Self.isValidIdentifier(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is not a type identifier")
        }
        self.init(checked: text)
    }

    /// Writes a plain string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
