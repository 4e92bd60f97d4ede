/// The kind of a tag, such as a filename extension or a MIME type.
public struct UniformTypeTagClass: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the class in a manifest, such as `public.mime-type`.
    public let rawValue: String

    /// Creates a class from its name in a manifest; any name is allowed.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions without a dot, in lower case; compound ones such as `tar.gz` are allowed.
    public static let filenameExtension = UniformTypeTagClass(rawValue: "public.filename-extension")
    /// MIME types without parameters, in lower case.
    public static let mimeType = UniformTypeTagClass(rawValue: "public.mime-type")
    /// Four-character codes of old file systems.
    public static let osType = UniformTypeTagClass(rawValue: "com.apple.ostype")
    /// Names of pasteboard types.
    public static let pasteboardType = UniformTypeTagClass(rawValue: "com.apple.nspboard-type")
    /// Schemes of URLs.
    public static let urlScheme = UniformTypeTagClass(rawValue: "public.url-scheme")

    /// The normalised tag, for comparison and lookup.
    func normalized(_ tag: String) -> String {
        if tag.isLowerASCII && tag.utf8.first != UInt8(ascii: ".") && !tag.utf8.contains(UInt8(ascii: ";")) {
            return tag
        }
        switch self {
        case .filenameExtension:
            return String(tag.drop { $0 == "." || $0.isWhitespace }).trimmingWhitespace().lowercased()
        case .mimeType:
            return String(tag.prefix { $0 != ";" }).trimmingWhitespace().lowercased()
        case .urlScheme:
            return tag.lowercased()
        default:
            return tag
        }
    }
}

extension String {
    /// Whether the text contains only visible ASCII characters and no capital letters, like most names.
    var isLowerASCII: Bool {
        utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z")) }
    }

    func trimmingWhitespace() -> String {
        if isLowerASCII { return self }
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
