package import Rights
import Synchronization

/// Counts how often each session has started to use each document without stopping (G3, complaint 20). Thread-safe.
///
/// One number per document, however often it is started.
package final class AccessCounts: Sendable {
    private let counts = Mutex<[String: [ItemKey: Int]]>([:])

    package init() {}

    /// Counts one more start.
    package func start(_ key: ItemKey, by session: String) {
        counts.withLock { $0[session, default: [:]][key, default: 0] += 1 }
    }

    /// Counts one stop. Surplus stops are ignored.
    ///
    /// - Parameter current: returns the current identifier of a document, which may have changed since the start.
    /// - Returns: whether that was the last start.
    package func stop(_ key: ItemKey, by session: String, current: (ItemKey) -> ItemKey) -> Bool {
        counts.withLock { counts in
            guard let own = counts[session],
                let known = own[key] != nil ? key : own.keys.first(where: { current($0) == key })
            else { return false }
            let left = (own[known] ?? 0) - 1
            counts[session]?[known] = left > 0 ? left : nil
            if counts[session]?.isEmpty == true { counts[session] = nil }
            return left <= 0
        }
    }

    /// Whether a session has started to use a document.
    package func isStarted(_ key: ItemKey, by session: String) -> Bool {
        counts.withLock { $0[session]?[key] != nil }
    }

    /// Removes a session.
    ///
    /// - Returns: the documents that it had started and not stopped.
    package func end(_ session: String) -> [ItemKey: Int] {
        counts.withLock { $0.removeValue(forKey: session) } ?? [:]
    }
}
