/// One request for libcurl.
package struct HTTPRequest: Sendable {
    /// The content that follows the head.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A part of a regular file, which must stay open. `owner` keeps it open.
        case file(descriptor: CInt, offset: Int, count: Int, owner: any Sendable)
    }

    /// The method, such as `GET`.
    package var method: String
    /// Absolute and percent-encoded.
    package var url: String
    /// Header fields in addition to those that libcurl adds.
    package var headers: [(name: String, value: String)] = []
    /// The content that follows the head.
    package var body = Body.none
    /// Whether sending it twice has the same effect as once. libcurl repeats a request by itself when a kept connection
    /// turns out to be closed. A request that must not be repeated gets a new connection.
    package var isRepeatable = true
    /// The seconds without a byte in either direction after which the request is given up.
    package var patience = 60
    /// The name of the client.
    package var userAgent: String?
    /// Whether it carries a document, and so waits with other transfers and not with small requests.
    package var isTransfer = false

    /// Whether redirects to the same server are followed.
    package var followsRedirects = true
    /// Whether the body is wanted even if the status is not a success.
    package var wantsErrorBody = false

    /// Makes a request without a body.
    package init(_ method: String, _ url: String) {
        self.method = method
        self.url = url
    }
}
