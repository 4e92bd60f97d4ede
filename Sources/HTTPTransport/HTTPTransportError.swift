package import CCurl

/// The error when libcurl got no whole reply.
package struct HTTPTransportError: Error, Sendable {
    /// libcurl's error code.
    package let code: CURLcode
    /// libcurl's error text; may be empty.
    package let text: String
    /// The `errno` of the failed system call; 0 if there is none.
    package let systemError: Int
    /// The URL of the request.
    package let url: String

    /// The code when a kept connection was closed under a request whose repetition is left to the caller: libcurl could
    /// not send the body from its beginning again.
    package static var connectionClosed: CURLcode { CURLE_SEND_FAIL_REWIND }
}
