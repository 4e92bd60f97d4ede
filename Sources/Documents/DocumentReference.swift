package import DocentInterfaces

/// The name of a document: provider, domain and the provider's identifier. A name, never a right (G2).
public struct DocumentReference: Sendable, Hashable, Codable {
    /// Bundle identifier of the provider.
    public let provider: String
    /// The domain; empty for the default one.
    public let domain: String
    /// The provider's persistent identifier of the item, opaque.
    public let identifier: String

    /// A reference from its parts.
    public init(provider: String, domain: String = "", identifier: String) {
        self.provider = provider
        self.domain = domain
        self.identifier = identifier
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
