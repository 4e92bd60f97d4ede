import Synchronization
import Varlink

/// Closes a connection when nothing has arrived on it for a while.
final class SilenceWatch: Sendable {
    private struct State {
        var last: ContinuousClock.Instant
        var isSilent = false
    }

    private let state = Mutex(State(last: .now))
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ connection: VarlinkConnection, deadline: Duration) {
        let guardian = Task { [weak self] in
            while let end = self?.state.withLock({ $0.last + deadline }) {
                if ContinuousClock.now >= end {
                    self?.state.withLock { $0.isSilent = true }
                    connection.close()
                    return
                }
                do { try await Task.sleep(until: end) } catch { return }
            }
        }
        task.withLock { $0 = guardian }
    }

    /// Whether it closed the connection.
    var wasSilent: Bool { state.withLock { $0.isSilent } }

    /// Records that something has arrived.
    func note() { state.withLock { $0.last = .now } }

    /// Stops watching.
    func end() { task.withLock { $0?.cancel() } }
}
