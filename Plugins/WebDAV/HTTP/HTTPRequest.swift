/// One request, as it goes to libcurl.
struct HTTPRequest: Sendable {
    /// What is sent after the head.
    enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A part of a regular file, which must stay open: `owner` keeps it so.
        case file(descriptor: CInt, offset: Int, count: Int, owner: any Sendable)
    }

    var method: String
    /// Absolute and percent-encoded.
    var url: String
    var headers: [(name: String, value: String)] = []
    var body = Body.none
    /// Whether doing it twice is the same as doing it once. libcurl repeats a request by itself when a kept connection
    /// turns out to be cut; what must not be repeated gets a connection of its own.
    var isRepeatable = true
    /// Seconds without a byte in either direction after which it is given up.
    var patience = 60
    /// Whether it carries a document, and so waits with the other documents and not with the questions.
    var isTransfer = false

    /// Whether a redirect to the same server is followed.
    var followsRedirects = true
    /// Whether the body of a reply that is none of success is wanted too.
    var wantsErrorBody = false

    init(_ method: String, _ url: String) {
        self.method = method
        self.url = url
    }
}
