/// A `more` call that has been granted what it asked for and holds it (T3): until its caller's next call on the same
/// connection, until that closes, or until it is interrupted.
package struct HeldCall: Sendable {
    let first: EncodedReply
    let last: EncodedReply
    let released: @Sendable () -> Void

    /// What was granted.
    ///
    /// - Parameters:
    ///   - first: the reply that says so, sent at once with its descriptors: its parameters object.
    ///   - last: the parameters object of the last reply, sent before what answers the next call.
    ///   - released: called exactly once, on any thread and without a lock of this module, when it is held no longer;
    ///     also when the caller had gone before it was told. Must not block.
    package init(first: (json: [UInt8], DescriptorList), last: [UInt8], released: @escaping @Sendable () -> Void) {
        self.first = EncodedReply(object: first.json, descriptors: first.1, continues: true)
        self.last = EncodedReply(object: last, descriptors: DescriptorList())
        self.released = released
    }

    /// This call, unless a limit forbids its first reply: then it is released.
    func checked(_ limits: ServerLimits) throws(VarlinkError) -> HeldCall {
        do throws(VarlinkError) {
            _ = try first.checked(limits)
        } catch {
            released()
            throw error
        }
        return self
    }
}
