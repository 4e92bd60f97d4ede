import Synchronization

/// Shared by the caller of an exchange and its thread: the cancellation and the number of bytes. Thread-safe.
package final class HTTPControl: Sendable {
    private let cancelled = Atomic(false)
    private let count = Atomic(0)
    private let stops: @Sendable () -> Bool

    /// - Parameter stops: Whether to give the exchange up although its caller waits. Called repeatedly on the thread of
    ///   the exchange.
    package init(stops: @escaping @Sendable () -> Bool = { false }) { self.stops = stops }

    /// Whether the caller no longer wants the reply.
    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    /// Whether the exchange should end now.
    var shallStop: Bool { isCancelled || stops() }
    /// The number of body bytes sent or received.
    package var moved: Int { count.load(ordering: .relaxed) }

    /// Cancels the exchange: the reply is no longer wanted.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }
    /// Adds bytes of the body to the count.
    package func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
    /// Restarts the count, for a body that is sent or received again.
    package func restart(at bytes: Int = 0) { count.store(bytes, ordering: .relaxed) }
}
