/// A `more` call that holds what it was granted: until its caller's next call on the same connection, until the
/// connection closes, or until it is interrupted.
package struct HeldCall: Sendable {
    let first: EncodedReply
    let last: EncodedReply
    let released: @Sendable () -> Void

    /// Creates a granted call.
    ///
    /// - Parameters:
    ///   - first: the parameters object of the first reply, which is sent at once, with its descriptors.
    ///   - last: the parameters object of the last reply, which is sent before the reply to the next call.
    ///   - released: called exactly once when the call is no longer held, also when the caller had gone before the
    ///     first reply. It runs on any thread, without a lock of this module, and must not block.
    package init(first: (json: [UInt8], DescriptorList), last: [UInt8], released: @escaping @Sendable () -> Void) {
        self.first = EncodedReply(object: first.json, descriptors: first.1, continues: true)
        self.last = EncodedReply(object: last, descriptors: DescriptorList())
        self.released = released
    }

    /// Returns this call. If its first reply exceeds a limit, releases it and throws.
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
