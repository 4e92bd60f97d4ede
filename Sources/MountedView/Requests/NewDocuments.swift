import Synchronization

/// The documents that programs have just made in the view. One that is removed soon after was temporary, so it need not
/// go to the trash. Thread-safe.
final class NewDocuments: Sendable {
    private let made = Mutex<[UInt64: ContinuousClock.Instant]>([:])
    private let age: Duration
    private let most = 10_000

    /// - Parameter age: how long a document counts as new.
    init(age: Duration = .seconds(60)) { self.age = age }

    func note(_ node: UInt64, at moment: ContinuousClock.Instant = .now) {
        made.withLock { made in
            if made.count >= most { made = made.filter { $0.value + age > moment } }
            if made.count < most { made[node] = moment }
        }
    }

    /// Whether a document is new, and forgets it.
    func take(_ node: UInt64, at moment: ContinuousClock.Instant = .now) -> Bool {
        made.withLock { $0.removeValue(forKey: node) }.map { $0 + age > moment } ?? false
    }
}
