import FoundationEssentials

/// The token that a client keeps: the bookmark's random name and a random secret of 256 bits, URL-safe.
struct BookmarkToken {
    private static let prefix = "b1-"
    private static let nameLength = 16
    private static let secretLength = 32

    let name: Data
    let secret: Data

    /// A new random token from the kernel.
    static func random() -> BookmarkToken {
        var generator = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> Data {
            Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
        return BookmarkToken(name: bytes(nameLength), secret: bytes(secretLength))
    }

    private init(name: Data, secret: Data) {
        self.name = name
        self.secret = secret
    }

    /// Parses a token; nil for anything that ``text`` never returns.
    init?(text: String) {
        guard text.hasPrefix(Self.prefix), text.utf8.count < 128 else { return nil }
        let coded = text.dropFirst(Self.prefix.count).replacing("-", with: "+").replacing("_", with: "/")
        guard let data = Data(base64Encoded: String(coded)), data.count == Self.nameLength + Self.secretLength else {
            return nil
        }
        self.init(name: Data(data.prefix(Self.nameLength)), secret: Data(data.suffix(Self.secretLength)))
        // Base64 can encode the same bytes in several ways; only ours is a token.
        guard self.text == text else { return nil }
    }

    /// The token as clients keep it.
    var text: String {
        let coded = (name + secret).base64EncodedString()
        return Self.prefix + coded.replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Whether another secret is the same. The time taken does not reveal how much of it matches.
    func hasSecret(_ other: Data) -> Bool {
        guard other.count == secret.count else { return false }
        return zip(secret, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
