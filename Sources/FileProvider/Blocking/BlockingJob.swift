/// A blocking call that waits for a thread or has one.
final class BlockingJob: Sendable {
    let number: Int
    let key: String
    let call: BlockingCall
    let interrupt: @Sendable () -> Void
    /// Runs the body and answers its caller. Blocks.
    let perform: @Sendable () -> Void
    /// Answers the caller with an error, unless it has been answered.
    let fail: @Sendable (any Error) -> Void

    init(
        number: Int, key: String, call: BlockingCall, interrupt: @escaping @Sendable () -> Void,
        perform: @escaping @Sendable () -> Void, fail: @escaping @Sendable (any Error) -> Void
    ) {
        self.number = number
        self.key = key
        self.call = call
        self.interrupt = interrupt
        self.perform = perform
        self.fail = fail
    }
}
