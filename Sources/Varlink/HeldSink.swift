/// Tells the caller of a held call what it waits for, until it is granted. Safe to use from any task meanwhile.
package final class HeldSink: Sendable {
    private let output: CallOutput

    init(_ output: CallOutput) {
        self.output = output
    }

    /// Queues a reply's parameters object, waiting while the connection's queue is full (T4).
    ///
    /// Throws `VarlinkError`: `closed` when the connection or the call has ended, `cancelled` when the task is
    /// cancelled while it waits.
    package func send(_ json: [UInt8]) async throws {
        let encoded = EncodedReply(object: json, descriptors: DescriptorList(), continues: true)
        while try !output.offer(encoded) {
            try await output.waitForRoom()
        }
    }

    /// Queues it, or returns false if the queue is full or the call has ended: a later one then tells more.
    @discardableResult
    package func trySend(_ json: [UInt8]) -> Bool {
        (try? output.offer(EncodedReply(object: json, descriptors: DescriptorList(), continues: true))) ?? false
    }
}
