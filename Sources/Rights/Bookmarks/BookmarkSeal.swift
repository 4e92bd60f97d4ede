package import FoundationEssentials

/// Seals and opens bookmarks (G4, G8). Pure except for random numbers.
///
/// A token is `b2-` followed by, URL-safe, the name of its row, a nonce, the encrypted content, and a tag that is valid
/// only for this key, this client and this row. No other client, kind of client or key can open it, and no bit of it
/// can be changed.
package struct BookmarkSeal: Sendable {
    /// Bytes of a key.
    package static let keyLength = BookmarkCipher.keyLength
    /// The longest content that is sealed, in bytes.
    package static let maximumLength = 32 * 1024
    /// Bytes of a row's name.
    package static let rowLength = 16

    private static let prefix = "b2-"

    /// Identifies a key without revealing anything about it.
    package let name: String
    private let key: [UInt8]

    /// Takes a key of ``keyLength`` bytes; nil for any other length.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyLength else { return nil }
        self.key = key
        let digest = BookmarkCipher.digest(Array("docent bookmark key\0".utf8) + key)
        name = digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A new random key from the kernel.
    package static func makeKey() -> [UInt8] { BookmarkCipher.randomBytes(keyLength) }

    /// Whether a text claims to be a sealed bookmark; older ones are handled by ``BookmarkStore`` alone.
    package static func isSealed(_ token: String) -> Bool { token.hasPrefix(prefix) }

    /// The name of the row that a token claims to belong to, which is not verified; nil when the token is malformed.
    package static func row(of token: String) -> Data? { parse(token)?.row }

    /// Seals content for a client.
    ///
    /// - Parameter row: ``rowLength`` bytes.
    /// - Returns: the token; nil when the content is too long to be sealed.
    package func seal(_ content: BookmarkContent, row: Data, for principal: Principal) -> String? {
        guard row.count == Self.rowLength, principal.kind != .unknown,
            let plain = try? JSONEncoder().encode(content), plain.count <= Self.maximumLength,
            let box = BookmarkCipher.seal(
                Array(plain), key: key, associated: Self.associated(row: row, principal))
        else { return nil }
        return Self.text(row + Data(box))
    }

    /// Opens a token for a client.
    ///
    /// - Throws: ``BookmarkFault/malformed``; ``BookmarkFault/forged`` when key, client, row or content differ from
    ///   those that it was sealed with, which cannot be distinguished.
    package func open(
        _ token: String, for principal: Principal
    ) throws(BookmarkFault) -> (row: Data, content: BookmarkContent) {
        guard let parts = Self.parse(token) else { throw .malformed }
        guard principal.kind != .unknown,
            let plain = BookmarkCipher.open(
                parts.box, key: key, associated: Self.associated(row: parts.row, principal)),
            let content = try? JSONDecoder().decode(BookmarkContent.self, from: Data(plain))
        else { throw .forged }
        return (parts.row, content)
    }

    private static func associated(row: Data, _ principal: Principal) -> [UInt8] {
        Array("docent bookmark 2\0".utf8) + Array(row) + Array(principal.kind.rawValue.utf8) + [0]
            + Array(principal.identifier.utf8)
    }

    private static func text(_ data: Data) -> String {
        let coded = data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return prefix + coded.replacing("=", with: "")
    }

    private static func parse(_ token: String) -> (row: Data, box: [UInt8])? {
        guard token.hasPrefix(prefix), token.utf8.count <= 2 * maximumLength else { return nil }
        let coded = token.dropFirst(prefix.count).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - coded.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: coded + padding),
            data.count > rowLength + BookmarkCipher.nonceLength + BookmarkCipher.tagLength,
            // Base64 can encode the same bytes in several ways; only ours is a token.
            text(data) == token
        else { return nil }
        return (Data(data.prefix(rowLength)), Array(data.dropFirst(rowLength)))
    }
}
