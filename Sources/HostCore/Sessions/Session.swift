import Foundation
package import Rights
import Synchronization
package import Varlink

/// What a client has open: it owns leases, write sessions and import copies, and ends with the connection that opened
/// it (T2).
///
/// Thread-safe.
package final class Session: Sendable {
    /// Random; a further connection joins with it.
    package let token: String
    /// Who the client is.
    package let principal: Principal
    /// Executable of an unconfined client, recorded with its grants.
    package let executable: String?
    /// The process that opened it, where it is known.
    package let process: Int?
    /// Names it among all who claim and present; never used twice.
    package let number = CoordinationParty.nextNumber()
    /// The connection with which it ends.
    package let lifeline: ConnectionIdentifier

    private struct State {
        var connections: Set<ConnectionIdentifier>
        var leases: LeaseSlots?
        var operations: Set<String> = []
        var hasInbox = false
        var importedBytes = 0
        var ended = false
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

    /// Adds a connection that joined.
    package func join(_ connection: ConnectionIdentifier) { state.withLock { _ = $0.connections.insert(connection) } }

    /// Notes a write session that belongs to this session.
    ///
    /// - Returns: false when the session has ended meanwhile, and nobody will look after the operation.
    package func own(operation: String) -> Bool {
        state.withLock { state in
            guard !state.ended else { return false }
            state.operations.insert(operation)
            return true
        }
    }

    /// Forgets a write session that has ended.
    package func disown(operation: String) { state.withLock { _ = $0.operations.remove(operation) } }

    /// Whether the operation belongs to this session.
    package func owns(operation: String) -> Bool { state.withLock { $0.operations.contains(operation) } }

    /// The write sessions that belong to this session.
    package var openOperations: Set<String> { state.withLock { $0.operations } }

    /// The lease slots, made at first use.
    package func leases() throws -> LeaseSlots {
        try state.withLock { state in
            if let leases = state.leases { return leases }
            let leases = try LeaseSlots()
            state.leases = leases
            return leases
        }
    }

    /// The lease slots if there are any.
    package var existingLeases: LeaseSlots? { state.withLock { $0.leases } }

    /// Notes that there are import copies to remove with the session (C9).
    package func noteImport() { state.withLock { $0.hasInbox = true } }

    /// Notes bytes of import copies, which count for its principal until it ends (T4); fewer of one that failed.
    package func noteImported(bytes: Int) { state.withLock { $0.importedBytes += bytes } }

    /// The bytes that were noted and not taken yet.
    package func takeImportedBytes() -> Int {
        state.withLock { state in
            defer { state.importedBytes = 0 }
            return state.importedBytes
        }
    }

    /// Whether the session has ended.
    package var hasEnded: Bool { state.withLock { $0.ended } }

    /// Ends the session.
    ///
    /// - Returns: the write sessions that were still open, and whether there are import copies to remove; nothing at a
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
