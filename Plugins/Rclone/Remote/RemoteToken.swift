import FoundationEssentials

/// A token as rclone keeps it in its configuration: JSON, of which the end of its time alone matters here.
struct RemoteToken: Sendable {
    private struct Fields: Decodable { var expiry: String? }

    // Rclone renews some seconds, some back ends minutes before the end.
    private static let margin: Double = 120
    private let expires: Date?

    init(_ text: String) {
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(text.utf8))
        expires = fields?.expiry.flatMap(Self.date)
    }

    /// Whether rclone renews it with its next use, or has done so.
    var isDue: Bool { expires.map { $0 < Date.now + Self.margin } ?? false }

    // "2026-11-22T17:59:05.592441408+01:00": the fraction is of no interest, and not known to every parser.
    private static func date(_ text: String) -> Date? {
        let zone = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        return try? Date(text.prefix(19) + zone, strategy: .iso8601)
    }
}
