/// Sends the replies to a `more` call that come before the last one. May be used from any task while the method's body
/// runs.
package final class ReplySink<Value: VarlinkMessage>: Sendable {
    private let output: CallOutput

    init(_ output: CallOutput) {
        self.output = output
    }

    /// Queues a reply; waits while the connection's queue is full.
    ///
    /// Throws `VarlinkError`: `closed` when the connection or the call has ended, `cancelled` when the task is
    /// cancelled while it waits.
    package func send(_ reply: Reply<Value>) async throws {
        let encoded = try EncodedReply(reply, continues: true)
        while try !output.offer(encoded) {
            try await output.waitForRoom()
        }
    }

    /// Queues a reply, or returns false if the queue is full; the caller then coalesces replies.
    package func trySend(_ reply: Reply<Value>) throws -> Bool {
        try output.offer(EncodedReply(reply, continues: true))
    }
}
