import Synchronization
import Varlink

/// Ends the wait for a claim from another thread. It has no effect once the claim is granted.
final class ClaimCancellation: Sendable {
    private enum Phase {
        case begun
        case waiting(VarlinkConnection)
        case granted
        case cancelled
    }

    private let phase = Mutex(Phase.begun)

    static var error: DocumentsError { DocumentsError(.cancelled, "The coordinated access was cancelled.") }

    /// Sets the connection on which the claim now waits.
    ///
    /// - Throws: ``DocumentsError`` `cancelled`.
    func wait(on connection: VarlinkConnection) throws(DocumentsError) {
        let mayWait = phase.withLock { phase in
            if case .cancelled = phase { return false }
            phase = .waiting(connection)
            return true
        }
        guard mayWait else { throw Self.error }
    }

    /// Clears the connection.
    ///
    /// - Returns: false when the wait was cancelled: the connection is about to be closed, and must not be used again.
    @discardableResult
    func pause() -> Bool {
        phase.withLock { phase in
            switch phase {
            case .waiting: phase = .begun
            case .cancelled: return false
            case .begun, .granted: break
            }
            return true
        }
    }

    /// Records that the claim was granted.
    ///
    /// - Throws: ``DocumentsError`` `cancelled` when the wait was already cancelled.
    func grant() throws(DocumentsError) {
        let isGranted = phase.withLock { phase in
            if case .cancelled = phase { return false }
            phase = .granted
            return true
        }
        guard isGranted else { throw Self.error }
    }

    var isCancelled: Bool {
        phase.withLock { phase in
            if case .cancelled = phase { true } else { false }
        }
    }

    /// Ends the wait. May be called from any thread, and more than once.
    func cancel() {
        let connection = phase.withLock { phase -> VarlinkConnection? in
            switch phase {
            case .granted, .cancelled: return nil
            case .begun:
                phase = .cancelled
                return nil
            case .waiting(let connection):
                phase = .cancelled
                return connection
            }
        }
        connection?.close()
    }
}
