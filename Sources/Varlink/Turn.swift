import CVarlinkSocket
import Glibc

/// Admits one user at a time. It may be taken on one thread and returned on another.
final class Turn: Sendable {
    // A pointer to a semaphore, which threads may share, and which is never replaced.
    private nonisolated(unsafe) let semaphore = cvarlink_turn_create()

    deinit {
        cvarlink_turn_destroy(semaphore)
    }

    /// Waits for the turn; returns false if the deadline passed first.
    func take(until deadline: Deadline?) -> Bool {
        cvarlink_turn_take(semaphore, deadline?.nanoseconds ?? -1) == 0
    }

    func give() {
        cvarlink_turn_give(semaphore)
    }
}
