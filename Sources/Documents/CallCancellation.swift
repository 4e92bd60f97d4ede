import Synchronization
import Varlink

/// Ends a blocking call from elsewhere, by closing its connection (T3).
final class CallCancellation: Sendable {
    private struct State {
        var connection: VarlinkConnection?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Names the connection that the call runs on now.
    ///
    /// - Throws: ``DocumentsError`` `cancelled` when the call was ended already.
    func attach(_ connection: VarlinkConnection) throws(DocumentsError) {
        let isCancelled = state.withLock { state in
            state.connection = connection
            return state.isCancelled
        }
        if isCancelled { throw DocumentsError(.cancelled, "The call was cancelled.") }
    }

    /// The call needs its connection no longer.
    func detach() { state.withLock { $0.connection = nil } }

    /// Whether the call was ended.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the call. From any thread, more than once.
    func cancel() {
        let connection = state.withLock { state in
            state.isCancelled = true
            return state.connection
        }
        connection?.close()
    }
}
