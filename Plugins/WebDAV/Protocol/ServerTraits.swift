import HTTPTransport

/// What a server can do.
struct ServerTraits: Sendable {
    /// Whether it supports write locks (WebDAV class 2).
    var hasLocks: Bool
    /// Whether it is a Nextcloud server, where PUT replaces atomically and obeys If-Match.
    var isNextcloud: Bool
    /// Whether it writes control characters in names as symbols (rclone). For a while it still answers to the original
    /// names.
    var altersControlCharacters: Bool
    /// The addresses of Nextcloud's own interfaces, if the root reveals them.
    var nextcloud: NextcloudAddress?

    init(_ options: HTTPReply) {
        let classes = (options["dav"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        hasLocks = classes.contains("2") || classes.contains("3")
        altersControlCharacters = options["server"]?.lowercased().hasPrefix("rclone/") == true
        isNextcloud = classes.contains { $0.hasPrefix("nextcloud") }
    }
}
