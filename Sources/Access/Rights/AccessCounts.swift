package import Rights
import Synchronization

/// How often each session has started to use which document and not stopped yet (G3, complaint 20). Thread-safe.
///
/// A number for each document, however often it is started.
package final class AccessCounts: Sendable {
    private let counts = Mutex<[String: [ItemKey: Int]]>([:])

    package init() {}

    /// A session starts once more.
    package func start(_ key: ItemKey, by session: String) {
        counts.withLock { $0[session, default: [:]][key, default: 0] += 1 }
    }

    /// A session stops once; a stop too many is nothing.
    ///
    /// - Parameter current: the identifier that a document has now; it may have been another at its start.
    /// - Returns: whether that was the last.
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

    /// Forgets a session.
    ///
    /// - Returns: what it had started and not stopped.
    package func end(_ session: String) -> [ItemKey: Int] {
        counts.withLock { $0.removeValue(forKey: session) } ?? [:]
    }
}
