/// One request for libcurl.
package struct HTTPRequest: Sendable {
    /// The content that follows the head.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A part of a regular file, which must stay open. `owner` keeps it open.
        case file(descriptor: CInt, offset: Int, count: Int, owner: any Sendable)
    }

    /// Who sends a request again when a kept connection turns out to be closed. The server may have received some of
    /// it, or all.
    package enum Repetition: Sendable {
        /// libcurl. For requests whose effect is the same if they are sent twice.
        case automatic
        /// The caller. If a part of the body was sent, the request fails with
        /// ``HTTPTransportError/connectionClosed``.
        case byCaller
        /// Nobody: it gets a new connection.
        case never
    }

    /// The method, such as `GET`.
    package var method: String
    /// Absolute and percent-encoded.
    package var url: String
    /// Header fields in addition to those that libcurl adds.
    package var headers: [(name: String, value: String)] = []
    /// The content that follows the head.
    package var body = Body.none
    /// Who sends it again when a kept connection turns out to be closed.
    package var repetition = Repetition.automatic
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
