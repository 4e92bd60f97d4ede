/// What a document may contain after changes whose answer was lost, for example because the provider was killed: the
/// last known content, or that of such a change. A service may finish a request after the connection has gone, so an
/// unanswered change may appear later than the next look.
struct UnansweredChanges {
    /// What the document contained when it was read last.
    private(set) var content: [UInt8]
    private var unanswered: [[UInt8]] = []

    init(_ content: [UInt8]) { self.content = content }

    /// Takes what was read after a change. An answered change ends all earlier ones; a change that has appeared ends
    /// those before it.
    ///
    /// - Returns: whether the document may contain that.
    mutating func accept(_ bytes: [UInt8], after change: [UInt8], isAnswered: Bool) -> Bool {
        if isAnswered {
            unanswered = []
            content = change
            return bytes == change
        }
        unanswered.append(change)
        if bytes == content { return true }
        guard let index = unanswered.firstIndex(of: bytes) else { return false }
        content = bytes
        unanswered.removeFirst(index + 1)
        return true
    }
}
