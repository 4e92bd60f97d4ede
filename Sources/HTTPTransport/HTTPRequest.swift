/// One request, as it goes to libcurl.
package struct HTTPRequest: Sendable {
    /// What is sent after the head.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A part of a regular file, which must stay open: `owner` keeps it so.
        case file(descriptor: CInt, offset: Int, count: Int, owner: any Sendable)
    }

    /// What it asks for, such as `GET`.
    package var method: String
    /// Absolute and percent-encoded.
    package var url: String
    /// Header fields beside those that libcurl makes.
    package var headers: [(name: String, value: String)] = []
    /// What follows the head.
    package var body = Body.none
    /// Whether doing it twice is the same as doing it once. libcurl repeats a request by itself when a kept connection
    /// turns out to be cut; what must not be repeated gets a connection of its own.
    package var isRepeatable = true
    /// Seconds without a byte in either direction after which it is given up.
    package var patience = 60
    /// What the client calls itself.
    package var userAgent: String?
    /// Whether it carries a document, and so waits with the other documents and not with the questions.
    package var isTransfer = false

    /// Whether a redirect to the same server is followed.
    package var followsRedirects = true
    /// Whether the body of a reply that is none of success is wanted too.
    package var wantsErrorBody = false

    /// A request without a body.
    package init(_ method: String, _ url: String) {
        self.method = method
        self.url = url
    }
}
