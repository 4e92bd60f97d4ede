/// Sends the replies of a `more` call before its last one. Safe to use from any task while the method's body runs.
package final class ReplySink<Value: VarlinkMessage>: Sendable {
    private let output: CallOutput

    init(_ output: CallOutput) {
        self.output = output
    }

    /// Queues a reply, waiting while the connection's queue is full (T4).
    ///
    /// Throws `VarlinkError`: `closed` when the connection or the call has ended, `cancelled` when the task is
    /// cancelled while it waits.
    package func send(_ reply: Reply<Value>) async throws {
        let encoded = try EncodedReply(reply, continues: true)
        while try !output.offer(encoded) {
            try await output.waitForRoom()
        }
    }

    /// Queues a reply, or returns false if the queue is full: the caller then coalesces (T4).
    package func trySend(_ reply: Reply<Value>) throws -> Bool {
        try output.offer(EncodedReply(reply, continues: true))
    }
}
