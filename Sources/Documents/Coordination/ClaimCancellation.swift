import Synchronization
import Varlink

/// Ends the wait for a claim from elsewhere; once that is granted, it does nothing (2.8).
final class ClaimCancellation: Sendable {
    private enum Phase {
        case begun
        case waiting(VarlinkConnection)
        case granted
        case cancelled
    }

    private let phase = Mutex(Phase.begun)

    static var error: DocumentsError { DocumentsError(.cancelled, "The coordinated access was cancelled.") }

    /// Names the connection on which it waits now.
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

    /// It waits on no connection now.
    func pause() {
        phase.withLock { phase in
            if case .waiting = phase { phase = .begun }
        }
    }

    /// It was granted.
    ///
    /// - Throws: ``DocumentsError`` `cancelled` when that came too late.
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

    /// Ends the wait. From any thread, more than once.
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
