/// Takes a reply as it comes in. Called on the thread of the exchange, never by two threads at once.
package protocol HTTPSink: Sendable {
    /// The final head. Its body follows only when the status is one of success, or ``HTTPRequest/wantsErrorBody`` is
    /// set.
    func begin(_ reply: HTTPReply) throws
    /// The next bytes of the body.
    func take(_ bytes: UnsafeRawBufferPointer) throws
}

/// Wants no body.
package struct NoSink: HTTPSink {
    /// A sink for nothing.
    package init() {}
    package func begin(_ reply: HTTPReply) {}
    package func take(_ bytes: UnsafeRawBufferPointer) {}
}
