import FoundationEssentials

/// A token as rclone stores it in its configuration: JSON, of which only the expiry matters here.
struct RemoteToken: Sendable {
    private struct Fields: Decodable { var expiry: String? }

    // Rclone renews a token some seconds before it expires, some back ends minutes before.
    private static let margin: Double = 120
    private let expires: Date?

    init(_ text: String) {
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(text.utf8))
        expires = fields?.expiry.flatMap(Self.date)
    }

    /// Whether rclone will renew the token with its next use, or already has.
    var isDue: Bool { expires.map { $0 < Date.now + Self.margin } ?? false }

    // For example "2026-11-22T17:59:05.592441408+01:00". The fraction is dropped: it is not needed, and not every
    // parser accepts it.
    private static func date(_ text: String) -> Date? {
        let zone = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        return try? Date(text.prefix(19) + zone, strategy: .iso8601)
    }
}
