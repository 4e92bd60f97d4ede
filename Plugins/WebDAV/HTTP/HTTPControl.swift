import Synchronization

/// What the caller of an exchange and its thread tell each other.
final class HTTPControl: Sendable {
    private let cancelled = Atomic(false)
    private let count = Atomic(0)

    /// Whether nobody wants the reply any more.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    /// How many bytes of the body have gone out or come in.
    var moved: Int { count.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }
    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
    func restart(at bytes: Int = 0) { count.store(bytes, ordering: .relaxed) }
}
