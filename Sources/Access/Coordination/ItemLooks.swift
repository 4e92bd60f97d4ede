import Rights
import Synchronization

/// Which items are being looked at just now: news during a look are looked at once more, not each. Thread-safe.
final class ItemLooks: Sendable {
    private let running = Mutex<[Rights.ItemKey: Bool]>([:])

    /// Whether the caller is the one to look.
    func begin(_ key: Rights.ItemKey) -> Bool {
        running.withLock { running in
            guard running[key] == nil else {
                running[key] = true
                return false
            }
            running[key] = false
            return true
        }
    }

    /// Whether there were news meanwhile; then the caller looks again.
    func again(_ key: Rights.ItemKey) -> Bool {
        running.withLock { running in
            if running[key] == true {
                running[key] = false
                return true
            }
            running[key] = nil
            return false
        }
    }
}
