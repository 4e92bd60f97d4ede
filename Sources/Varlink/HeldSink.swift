/// Reports to the caller of a held call what it is waiting for, until it is granted. May be used from any task until
/// then.
package final class HeldSink: Sendable {
    private let output: CallOutput

    init(_ output: CallOutput) {
        self.output = output
    }

    /// Queues a reply's parameters object, or returns false if the queue is full or the call has ended. A later report
    /// makes up for it.
    @discardableResult
    package func trySend(_ json: [UInt8]) -> Bool {
        (try? output.offer(EncodedReply(object: json, descriptors: DescriptorList(), continues: true))) ?? false
    }
}
