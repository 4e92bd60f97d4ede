package import DocentInterfaces
import FoundationEssentials
import Glibc
import Synchronization
package import Varlink

/// A client program's session with the Docent daemon.
///
/// The session owns what the client has open; it ends with ``close()`` or with the process. Thread-safe: calls may
/// come from any task or thread; each runs on a connection of its own (T2), so that a slow one holds back no other.
public final class DocumentsClient: Sendable {
    /// How a client presents itself.
    public struct Configuration: Sendable {
        /// The identifier that an unconfined program states, in reverse DNS; ignored for a confined one.
        public var clientIdentifier: String?
        /// Whether a daemon is started when none answers.
        public var startsDaemon = true
        /// The environment in which the socket is looked for.
        public var environment: [String: String]

        /// The ordinary configuration: this process's environment.
        public init(clientIdentifier: String? = nil) {
            self.clientIdentifier = clientIdentifier
            environment = ProcessInfo.processInfo.environment
        }
    }

    private struct State {
        var lifeline: VarlinkConnection?
        var token = ""
        var idle: [VarlinkConnection] = []
        var closed = false
        var epoch = 0
        var inUse: [DocumentReference: Int] = [:]
    }

    /// How it presents itself.
    public let configuration: Configuration
    private let socket: SocketLocation
    private let state = Mutex(State())
    private let opening = Mutex(())

    /// Prepares a client; nothing is connected before the first call.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        socket = SocketLocation(environment: configuration.environment)
    }

    /// Ends the session and closes its connections; calls in progress fail.
    public func close() {
        let all = state.withLock { state in
            state.closed = true
            defer { state.idle = []; state.lifeline = nil }
            return state.idle + [state.lifeline].compactMap { $0 }
        }
        for connection in all { connection.close() }
    }

    deinit { close() }

    // MARK: Calls

    /// Calls a method without blocking a thread of the cooperative pool. Cancelling the task cancels the call.
    ///
    /// - Parameter attempts: how often at most it is sent, each time to another daemon, while the daemon dies over it (D3).
    /// - Throws: ``DocumentsError``.
    package func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList(),
        deadline: Duration? = nil, attempts: Int = 2
    ) async throws(DocumentsError) -> Reply<Method.Reply> {
        do {
            return try await attempt(attempts) { connection in
                // Sending closes them, and the call may have to be repeated.
                try await connection.call(
                    method.name, parameters, descriptors: try descriptors.duplicate(), deadline: deadline)
            }
        } catch { throw Self.explain(error) }
    }

    /// Calls a method and blocks the calling thread.
    ///
    /// - Throws: ``DocumentsError``.
    package func callBlocking<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList()
    ) throws(DocumentsError) -> Reply<Method.Reply> {
        do {
            return try attemptBlocking { connection in
                try connection.callBlocking(method.name, parameters, descriptors: try descriptors.duplicate())
            }
        } catch { throw Self.explain(error) }
    }

    /// Runs a body with a connection of this session, on the calling thread; once more when the daemon had gone.
    package func attemptBlocking<Result>(_ body: (VarlinkConnection) throws -> Result) throws -> Result {
        for attempt in 0... {
            let (connection, epoch) = try take()
            do {
                let result = try body(connection)
                giveBack(connection, epoch)
                return result
            } catch let error as VarlinkError where attempt == 0 && error.code == .closed {
                forget(epoch)
            } catch {
                giveBack(connection, epoch)
                throw error
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    private func attempt<Result>(
        _ attempts: Int, _ body: (VarlinkConnection) async throws -> Result
    ) async throws -> Result {
        for attempt in 1... {
            let (connection, epoch) = try await takeWithoutBlocking()
            do {
                let result = try await body(connection)
                giveBack(connection, epoch)
                return result
            } catch let error as VarlinkError where attempt < attempts && error.code == .closed {
                forget(epoch)
            } catch {
                giveBack(connection, epoch)
                throw error
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    /// The stream of a `more` method, on a connection of its own.
    package func stream<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) throws(DocumentsError) -> VarlinkReplies<Method.Reply> {
        do {
            return try take(fresh: true).0.stream(method.name, parameters, Method.Reply.self)
        } catch { throw Self.explain(error) }
    }

    /// Calls with `more` on a connection of its own, which is closed when the task is cancelled, and once more when the
    /// daemon had gone.
    ///
    /// - Parameter each: gets every reply as it comes, the last one too. What it throws ends the call.
    /// - Returns: the last reply.
    /// - Throws: ``DocumentsError``, or what `each` throws.
    @discardableResult
    package func follow<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, attempts: Int = 2,
        _ each: (Method.Reply) throws -> Void
    ) async throws -> Method.Reply {
        for attempt in 1... {
            let (connection, epoch) = try await takeWithoutBlocking(fresh: true)
            defer { connection.close() }
            do {
                var last: Method.Reply?
                var replies = connection.stream(method.name, parameters, Method.Reply.self).makeAsyncIterator()
                while let reply = try await replies.next() {
                    try each(reply.value)
                    last = reply.value
                }
                if let last { return last }
                throw DocumentsError(.failed, "The daemon ended the call without an answer.")
            } catch let error as VarlinkError where attempt < attempts && error.code == .closed {
                forget(epoch)
            } catch {
                guard error is VarlinkError || error is VarlinkCallError || error is Failure else { throw error }
                throw Self.explain(error)
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    /// Tells the daemon something, if this session still is connected to it; what goes wrong is of no interest. Returns at
    /// once.
    package func tell<Method: InterfaceMethod>(_ method: Method.Type, _ parameters: Method.Parameters) {
        let isConnected = state.withLock { !$0.closed && $0.lifeline?.isAbandoned == false }
        guard isConnected else { return }
        BlockingWork.run {
            guard let (connection, epoch) = try? self.take() else { return }
            let reply: Reply<Method.Reply>? = try? connection.callBlocking(
                method.name, parameters, deadline: .seconds(10))
            _ = reply
            self.giveBack(connection, epoch)
        }
    }

    // MARK: Documents in use

    /// Counts one more user of a document (complaint 20).
    func beginAccess(_ reference: DocumentReference) { state.withLock { $0.inUse[reference, default: 0] += 1 } }

    /// Counts one user less; the daemon is told when that was the last one of this session.
    func endAccess(_ reference: DocumentReference) {
        let isLast = state.withLock { state in
            let left = (state.inUse[reference] ?? 0) - 1
            state.inUse[reference] = left > 0 ? left : nil
            return left == 0
        }
        if isLast { tell(DocumentsInterface.StopAccessing.self, .init(reference: reference.wire)) }
    }

    // MARK: Connections

    /// A connection of this session and the epoch that it belongs to.
    ///
    /// - Parameter fresh: never one that was used before.
    private func take(fresh: Bool = false) throws -> (VarlinkConnection, Int) {
        if !fresh, let ready = try ready() { return ready }
        for attempt in 0... {
            let (token, epoch) = try session()
            do {
                let connection = try VarlinkConnection.connect(path: socket.path)
                let _: Reply<DocumentsInterface.JoinSession.Reply> = try connection.callBlocking(
                    DocumentsInterface.JoinSession.name,
                    .init(token: token) as DocumentsInterface.JoinSession.Parameters)
                return (connection, epoch)
            } catch {
                // The daemon of this session has gone; what answers now, if anything, is another one (D3).
                guard attempt < 3, hasLost(epoch) else { throw error }
                forget(epoch)
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    /// The same from asynchronous code: connecting, and starting a daemon, wait on a thread of their own.
    private func takeWithoutBlocking(fresh: Bool = false) async throws -> (VarlinkConnection, Int) {
        if !fresh, let ready = try ready() { return ready }
        return try await withCheckedThrowingContinuation { continuation in
            BlockingWork.run { continuation.resume(with: Result { try self.take(fresh: true) }) }
        }
    }

    private func hasLost(_ epoch: Int) -> Bool {
        state.withLock { $0.epoch != epoch || $0.lifeline?.isAbandoned ?? true }
    }

    private func ready() throws -> (VarlinkConnection, Int)? {
        try state.withLock { state in
            guard !state.closed else { throw DocumentsError(.unavailable, "This client was closed.") }
            while let connection = state.idle.popLast() {
                if !connection.isAbandoned { return (connection, state.epoch) }
            }
            return nil
        }
    }

    private func giveBack(_ connection: VarlinkConnection, _ epoch: Int) {
        let kept = state.withLock { state in
            guard !state.closed, state.epoch == epoch, !connection.isClosed, state.idle.count < 8 else { return false }
            state.idle.append(connection)
            return true
        }
        if !kept { connection.close() }
    }

    private func forget(_ epoch: Int) {
        let all = state.withLock { state -> [VarlinkConnection] in
            guard state.epoch == epoch else { return [] }
            state.epoch += 1
            defer { state.idle = []; state.lifeline = nil }
            return state.idle + [state.lifeline].compactMap { $0 }
        }
        for connection in all { connection.close() }
    }

    private func session() throws -> (token: String, epoch: Int) {
        try opening.withLock { _ in
            if let known = state.withLock({ $0.lifeline == nil ? nil : ($0.token, $0.epoch) }) { return known }
            let (connection, reply) = try openSession()
            return state.withLock { state in
                state.lifeline = connection
                state.token = reply.token
                return (state.token, state.epoch)
            }
        }
    }

    private func openSession() throws -> (VarlinkConnection, DocumentsInterface.OpenSession.Reply) {
        for attempt in 0... {
            let connection = try connectOrStart()
            do {
                let reply: Reply<DocumentsInterface.OpenSession.Reply> = try connection.callBlocking(
                    DocumentsInterface.OpenSession.name,
                    .init(client: configuration.clientIdentifier) as DocumentsInterface.OpenSession.Parameters)
                return (connection, reply.value)
            } catch let error as VarlinkError where error.code == .closed && attempt < 3 {
                // It was just leaving (D2).
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    private func connectOrStart() throws -> VarlinkConnection {
        if let connection = try? VarlinkConnection.connect(path: socket.path) { return connection }
        guard configuration.startsDaemon, !socket.isGiven else {
            throw DocumentsError(
                .unavailable, "No Docent daemon answers at \(socket.path).",
                suggestion: "Start it with `docent daemon start`.")
        }
        // A daemon that is just leaving holds its lock a little longer (D2): then another one is started.
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            try DaemonLauncher.start(environment: configuration.environment)
            for _ in 0..<20 {
                if let connection = try? VarlinkConnection.connect(path: socket.path) { return connection }
                usleep(10_000)
            }
            guard ContinuousClock.now < deadline else {
                throw DocumentsError(
                    .unavailable, "The Docent daemon does not start.",
                    suggestion: "Run `docent daemon start --foreground` to see why.")
            }
        }
    }

    private static func explain(_ error: any Error) -> DocumentsError {
        (error as? DocumentsError) ?? DocumentsError(Failure.from(error))
    }
}
