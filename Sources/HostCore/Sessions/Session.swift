import Foundation
package import Rights
import Synchronization
package import Varlink

/// An open client session. It owns leases, write sessions and import copies, and ends with the connection that opened
/// it (T2).
///
/// Thread-safe.
package final class Session: Sendable {
    /// Random; another connection uses it to join.
    package let token: String
    /// The client's identity.
    /// )
    package let principal: Principal
    /// Executable of an unconfined client, recorded with its grants.
    package let executable: String?
    /// The process that opened it, if known.
    package let process: Int?
    /// Identifies it among all that claim and present; never reused.
    package let number = CoordinationParty.nextNumber()
    /// The connection that ends the session when it closes.
    package let lifeline: ConnectionIdentifier

    private struct State {
        var connections: Set<ConnectionIdentifier>
        var leases: LeaseSlots?
        var operations: Set<String> = []
        var hasInbox = false
        var ended = false
        var leavesNoTrace = false
    }

    private let state: Mutex<State>

    package init(
        principal: Principal, executable: String?, process: Int? = nil, lifeline: ConnectionIdentifier
    ) {
        self.process = process
        token = UUID().uuidString + UUID().uuidString
        self.principal = principal
        self.executable = executable
        self.lifeline = lifeline
        state = Mutex(State(connections: [lifeline]))
    }

    /// Whether the client asked that the documents it uses are not remembered as used.
    package var leavesNoTrace: Bool { state.withLock { $0.leavesNoTrace } }

    /// Records that the client asked for it.
    package func leaveNoTrace() { state.withLock { $0.leavesNoTrace = true } }

    /// Records a connection that joined.
    package func join(_ connection: ConnectionIdentifier) { state.withLock { _ = $0.connections.insert(connection) } }

    /// Records a write session that belongs to this session.
    ///
    /// - Returns: false when the session has already ended, so that the caller must clean up the operation.
    package func own(operation: String) -> Bool {
        state.withLock { state in
            guard !state.ended else { return false }
            state.operations.insert(operation)
            return true
        }
    }

    /// Forgets a write session that has ended.
    package func disown(operation: String) { state.withLock { _ = $0.operations.remove(operation) } }

    /// The write sessions that belong to this session.
    package var openOperations: Set<String> { state.withLock { $0.operations } }

    /// The lease slots, created at first use.
    package func leases() throws -> LeaseSlots {
        try state.withLock { state in
            if let leases = state.leases { return leases }
            let leases = try LeaseSlots()
            state.leases = leases
            return leases
        }
    }

    /// The lease slots, if they were created.
    package var existingLeases: LeaseSlots? { state.withLock { $0.leases } }

    /// Records that there are import copies to remove with the session.
    package func noteImport() { state.withLock { $0.hasInbox = true } }

    /// Whether the session has ended.
    package var hasEnded: Bool { state.withLock { $0.ended } }

    /// Ends the session.
    ///
    /// - Returns: the write sessions that were still open, and whether there are import copies to remove; nothing on a
    ///   second call.
    package func end() -> (operations: Set<String>, hasInbox: Bool) {
        state.withLock { state in
            guard !state.ended else { return ([], false) }
            state.ended = true
            defer { state.operations = [] }
            return (state.operations, state.hasInbox)
        }
    }
}
