import Synchronization
import Varlink

/// Ends a blocking call from another thread by closing its connection.
final class CallCancellation: Sendable {
    private struct State {
        var connection: VarlinkConnection?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Sets the connection that the call is now using.
    ///
    /// - Throws: ``DocumentsError`` `cancelled` when the call has already been cancelled.
    func attach(_ connection: VarlinkConnection) throws(DocumentsError) {
        let isCancelled = state.withLock { state in
            state.connection = connection
            return state.isCancelled
        }
        if isCancelled { throw DocumentsError(.cancelled, "The call was cancelled.") }
    }

    /// Clears the connection when the call has finished with it.
    func detach() { state.withLock { $0.connection = nil } }

    /// Whether the call was cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the call. May be called from any thread, and more than once.
    func cancel() {
        let connection = state.withLock { state in
            state.isCancelled = true
            return state.connection
        }
        connection?.close()
    }
}
