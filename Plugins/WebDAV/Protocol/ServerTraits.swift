import HTTPTransport

/// What a server can do.
struct ServerTraits: Sendable {
    /// Whether it takes write locks (class 2 of WebDAV).
    var hasLocks: Bool
    /// Whether it is a Nextcloud: PUT there replaces atomically and heeds If-Match.
    var isNextcloud: Bool
    /// Whether it writes control characters of names as symbols (rclone), though for a while it answers to what they
    /// were.
    var altersControlCharacters: Bool
    /// The places of Nextcloud's own interfaces, if the root lies where they can be told from.
    var nextcloud: NextcloudAddress?

    init(_ options: HTTPReply) {
        let classes = (options["dav"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        hasLocks = classes.contains("2") || classes.contains("3")
        altersControlCharacters = options["server"]?.lowercased().hasPrefix("rclone/") == true
        isNextcloud = classes.contains { $0.hasPrefix("nextcloud") }
    }
}
