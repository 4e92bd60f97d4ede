import Synchronization

/// What the caller of an exchange and its thread tell each other.
package final class HTTPControl: Sendable {
    private let cancelled = Atomic(false)
    private let count = Atomic(0)
    private let stops: @Sendable () -> Bool

    /// - Parameter stops: whether the exchange is to be given up though its caller waits; asked now and then on its
    ///   thread.
    package init(stops: @escaping @Sendable () -> Bool = { false }) { self.stops = stops }

    /// Whether nobody wants the reply any more.
    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    /// Whether the exchange is to end now.
    var shallStop: Bool { isCancelled || stops() }
    /// How many bytes of the body have gone out or come in.
    package var moved: Int { count.load(ordering: .relaxed) }

    /// The reply is not wanted any more.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }
    /// Counts bytes of the body.
    package func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
    /// Counts anew, for a body that goes out or comes in once more.
    package func restart(at bytes: Int = 0) { count.store(bytes, ordering: .relaxed) }
}
