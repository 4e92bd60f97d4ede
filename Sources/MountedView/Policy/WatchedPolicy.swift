import Documents
import Synchronization
import ViewPolicies

/// The rules in effect. Their file is read again when it has changed.
///
/// Thread-safe, for one thread at a time: it blocks while it reads.
final class WatchedPolicy: Sendable {
    private struct State {
        var policy = DownloadPolicy()
        /// The state of the file that was looked at last; nil if there was none.
        var stamp: DownloadPolicyFile.Stamp?
        /// Whether that state was read, valid or not.
        var isRead = false
        var checked: ContinuousClock.Instant?
        /// The last failure that was reported.
        var failure: String?
    }

    private let path: String?
    private let state = Mutex(State())
    /// How long what was read is used without looking at the file.
    private let period: Duration = .seconds(1)

    /// - Parameter path: the file; nil for none.
    init(_ path: String?) { self.path = path }

    /// The rules in effect. A file that is not valid changes nothing.
    func current(at now: ContinuousClock.Instant = .now) -> DownloadPolicy {
        if let path, isDue(now) { look(at: path) }
        return state.withLock { $0.policy }
    }

    private func isDue(_ now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            if let checked = state.checked, now - checked < period { return false }
            state.checked = now
            return true
        }
    }

    private func look(at path: String) {
        do throws(DocumentsError) {
            // Before the content: a change in between is noticed the next time.
            let stamp = try DownloadPolicyFile.stamp(of: path)
            guard state.withLock({ !$0.isRead || $0.stamp != stamp }) else { return }
            state.withLock { ($0.stamp, $0.isRead) = (stamp, true) }
            let policy = try DownloadPolicyFile.read(path) ?? DownloadPolicy()
            state.withLock { ($0.policy, $0.failure) = (policy, nil) }
        } catch {
            let isNew = state.withLock { state in
                // What may pass is tried again.
                if error.code != .failed { state.isRead = false }
                defer { state.failure = error.message }
                return state.failure != error.message
            }
            if isNew { ViewLog.write("\(error.message) The rules for downloads stay as they were.") }
        }
    }
}
