import CVarlinkSocket
import Glibc

/// Lets one user in at a time; taken on one thread, it may be given back on another.
final class Turn: Sendable {
    // A pointer to a semaphore, which is made to be shared by threads, and which nobody replaces.
    private nonisolated(unsafe) let semaphore = cvarlink_turn_create()

    deinit {
        cvarlink_turn_destroy(semaphore)
    }

    /// Waits for the turn; false if the deadline passed first.
    func take(until deadline: Deadline?) -> Bool {
        cvarlink_turn_take(semaphore, deadline?.nanoseconds ?? -1) == 0
    }

    func give() {
        cvarlink_turn_give(semaphore)
    }
}
