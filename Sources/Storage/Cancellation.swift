import Synchronization

/// Tells blocking work to stop: a flag that any thread may set, and a deadline.
package final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let deadline: ContinuousClock.Instant?

    /// Creates one that ends the work at `deadline`; without a deadline, only when cancelled.
    package init(deadline: ContinuousClock.Instant? = nil) {
        self.deadline = deadline
    }

    /// Asks the work to stop. It stops at its next check.
    package func cancel() {
        flag.store(true, ordering: .releasing)
    }

    /// Throws `.cancelled` or `.deadline` when the work must stop.
    package func check() throws {
        if flag.load(ordering: .acquiring) {
            throw FileSystemError(.cancelled, "The copy was cancelled.")
        }
        if let deadline, ContinuousClock.now >= deadline {
            throw FileSystemError(.deadline, "The copy was not finished in time.")
        }
    }
}
