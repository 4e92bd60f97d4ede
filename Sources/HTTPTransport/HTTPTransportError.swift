package import CCurl

/// libcurl got no whole reply.
package struct HTTPTransportError: Error, Sendable {
    /// Why, as libcurl counts it.
    package let code: CURLcode
    /// Why, in its words; may be empty.
    package let text: String
    /// `errno` of the system call that failed; 0 for none.
    package let systemError: Int
    /// What was asked.
    package let url: String
}
