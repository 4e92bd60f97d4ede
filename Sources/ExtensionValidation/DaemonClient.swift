package import DocentInterfaces
import Synchronization
package import Varlink

/// A client of a daemon, with a connection for each running call; all of them belong to one session. Thread-safe.
package final class DaemonClient: Sendable {
    /// Its default client identifier.
    package static let identifier = "org.docent.validator"
    private static let deadline = Duration.seconds(150)

    private let socket: String
    private let first: VarlinkConnection
    private let token: String
    private let idle = Mutex<[VarlinkConnection]>([])

    /// Connects and opens a session.
    ///
    /// - Parameter identifier: the client identifier that it states.
    /// - Throws: `Failure` when the daemon does not answer.
    package init(socket: String, identifier: String = DaemonClient.identifier) async throws {
        self.socket = socket
        first = try VarlinkConnection.connect(path: socket)
        token = try await first.call(
            DocumentsInterface.OpenSession.self, .init(client: identifier), deadline: Self.deadline
        ).value.token
    }

    /// Calls a method of one of the client interfaces.
    ///
    /// - Throws: `Failure`.
    package func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList()
    ) async throws -> Reply<Method.Reply> {
        let connection = try await taken()
        let reply: Reply<Method.Reply>
        do {
            reply = try await connection.call(method, parameters, descriptors: descriptors, deadline: Self.deadline)
        } catch {
            keep(connection)
            throw error
        }
        keep(connection)
        return reply
    }

    /// Ends the session.
    package func close() {
        let connections = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for connection in connections { connection.close() }
        first.close()
    }

    private func taken() async throws -> VarlinkConnection {
        while let connection = idle.withLock({ $0.popLast() }) {
            if !connection.isAbandoned { return connection }
        }
        let connection = try VarlinkConnection.connect(path: socket)
        _ = try await connection.call(
            DocumentsInterface.JoinSession.self, .init(token: token), deadline: Self.deadline)
        return connection
    }

    private func keep(_ connection: VarlinkConnection) {
        guard !connection.isClosed else { return }
        idle.withLock { if $0.count < 8 { $0.append(connection) } }
    }
}
