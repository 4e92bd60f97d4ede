/// Takes a reply as it arrives. Called on the thread of the exchange, never by two threads at once.
package protocol HTTPSink: Sendable {
    /// Takes the final head. The body follows only if the status is a success or ``HTTPRequest/wantsErrorBody`` is set.
    func begin(_ reply: HTTPReply) throws
    /// Takes the next bytes of the body.
    func take(_ bytes: UnsafeRawBufferPointer) throws
}

/// A sink that ignores the body.
package struct NoSink: HTTPSink {
    /// Makes a sink.
    package init() {}
    package func begin(_ reply: HTTPReply) {}
    package func take(_ bytes: UnsafeRawBufferPointer) {}
}
