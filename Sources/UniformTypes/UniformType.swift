/// A uniform type identifier, such as `public.jpeg`.
///
/// Two values are equal when their identifiers differ only in case or in invisible characters without meaning, which
/// some manifests contain. The original spelling is kept. What a type conforms to depends on a ``UniformTypeRegistry``;
/// the identifier alone does not say.
public struct UniformType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier in its original spelling.
    public let identifier: String

    /// The form of the identifier that is compared.
    let key: String

    /// Creates a type from an identifier.
    ///
    /// - Parameter identifier: a reverse-DNS name, see ``isValidIdentifier(_:)``.
    /// - Returns: nil when the identifier is invalid. An undeclared type is not an error.
    public init?(_ identifier: String) {
        guard Self.isValidIdentifier(identifier) else { return nil }
        self.init(checked: identifier)
    }

    /// Creates a type from an identifier that is known to be valid.
    init(checked identifier: String) {
        self.identifier = identifier
        let key = Self.comparisonKey(of: identifier)
        self.key = key == identifier ? identifier : key
    }

    /// The identifier.
    public var description: String { identifier }

    /// Whether the identifier stands for an undeclared tag
    /// (``UniformTypeRegistry/type(filenameExtension:isDirectory:)``).
    public var isDynamic: Bool { key.hasPrefix(DynamicTag.prefix) }

    /// Whether the text is a valid identifier: labels of letters, digits, `-` and any character above U+007F, separated
    /// by single dots. A label cannot be empty.
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

    /// Hashes the part that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// Decodes a plain string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when the string is not a valid identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard Self.isValidIdentifier(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not a type identifier")
        }
        self.init(checked: text)
    }

    /// Encodes a plain string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
