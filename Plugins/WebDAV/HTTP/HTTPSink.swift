/// Takes a reply as it comes in. Called on the thread of the exchange, never by two threads at once.
protocol HTTPSink: Sendable {
    /// The final head. Its body follows only when the status is one of success.
    func begin(_ reply: HTTPReply) throws
    /// The next bytes of the body.
    func take(_ bytes: UnsafeRawBufferPointer) throws
}

/// Wants no body.
struct NoSink: HTTPSink {
    func begin(_ reply: HTTPReply) {}
    func take(_ bytes: UnsafeRawBufferPointer) {}
}
