package import DocentInterfaces

/// Identifies a document by its provider, its domain and the provider's own identifier. A reference gives no right to
/// the document.
public struct DocumentReference: Sendable, Hashable, Codable {
    /// The bundle identifier of the provider.
    public let provider: String
    /// The domain; empty for the default domain.
    public let domain: String
    /// The provider's persistent identifier of the item; opaque.
    public let identifier: String

    /// The identifier of the top folder of every account.
    package static let topIdentifier = ".root"

    /// Creates a reference from its parts.
    public init(provider: String, domain: String = "", identifier: String) {
        self.provider = provider
        self.domain = domain
        self.identifier = identifier
    }

    /// Parses the form that ``url`` returns.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` when the text is not a reference.
    public init(url: String) throws(DocumentsError) {
        let bytes = Array(url.utf8)
        guard url.hasPrefix("docent://"),
            let slash = bytes.dropFirst(9).firstIndex(of: UInt8(ascii: "/")), slash > 9
        else { throw Self.unreadable(url) }
        let authority = bytes[9..<slash].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard authority.count <= 2, let provider = Self.decode(authority[0]), !provider.isEmpty,
            let domain = authority.count > 1 ? Self.decode(authority[1]) : "", authority.count == 1 || !domain.isEmpty,
            let identifier = Self.decode(bytes[(slash + 1)...]), !identifier.isEmpty
        else { throw Self.unreadable(url) }
        self.init(provider: provider, domain: domain, identifier: identifier)
    }

    private static func unreadable(_ url: String) -> DocumentsError {
        DocumentsError(
            .invalidArgument, "\"\(url)\" is not a reference.",
            suggestion:
                "It has the form docent://PROVIDER[@DOMAIN]/IDENTIFIER, as `docent ls` without a location prints it.")
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                // Any other byte would have been percent-encoded.
                guard byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "/") else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    package init(_ wire: Wire.ItemReference) {
        self.init(provider: wire.provider, domain: wire.domain, identifier: wire.identifier)
    }

    package var wire: Wire.ItemReference {
        Wire.ItemReference(provider: provider, domain: domain, identifier: identifier)
    }

    /// `docent://provider[@domain]/identifier`, percent-encoded. Opening it as a file fails by design.
    public var url: String {
        let authority = domain.isEmpty ? Self.encode(provider) : Self.encode(provider) + "@" + Self.encode(domain)
        return "docent://\(authority)/\(Self.encode(identifier))"
    }

    private static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            let plain = scalar.properties.isAlphabetic && scalar.isASCII || (0x30...0x39).contains(byte)
            if plain || "-._~".unicodeScalars.contains(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                let hexadecimal = String(byte, radix: 16, uppercase: true)
                result += "%" + (hexadecimal.count == 1 ? "0" : "") + hexadecimal
            }
        }
    }
}
