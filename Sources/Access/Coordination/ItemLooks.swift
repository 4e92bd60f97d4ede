import Rights
import Synchronization

/// The items that are being looked up. News during a lookup causes one more lookup, not one each. Thread-safe.
final class ItemLooks: Sendable {
    private let running = Mutex<[ItemKey: Bool]>([:])

    /// Whether the caller has to do the lookup.
    func begin(_ key: ItemKey) -> Bool {
        running.withLock { running in
            guard running[key] == nil else {
                running[key] = true
                return false
            }
            running[key] = false
            return true
        }
    }

    /// Whether there was news in the meantime, so that the caller has to look again.
    func again(_ key: ItemKey) -> Bool {
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
