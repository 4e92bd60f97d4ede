import Dispatch
package import DocentInterfaces
import FoundationEssentials
import Glibc
import Synchronization
package import Varlink

/// A client program's session with the Docent daemon.
///
/// The session owns everything that the client has open; it ends with ``close()`` or with the process. Thread-safe:
/// calls may come from any task or thread. Each call has its own connection, so that a slow call delays no other.
public final class DocumentsClient: Sendable {
    /// How a client presents itself to the daemon.
    public struct Configuration: Sendable {
        /// The identifier that an unconfined program states, in reverse-DNS form; ignored for a confined one.
        public var clientIdentifier: String?
        /// Whether the documents that this client uses are left out of the list of recent ones (``Recents``).
        public var leavesNoTrace = false
        /// Whether to start a daemon when none answers.
        public var startsDaemon = true
        /// Whether to start no daemon after the user stopped it while this client was connected. Every call then fails
        /// with `unavailable` until someone else starts one.
        package var leavesStopped = false
        /// The version that the daemon must have; an older daemon that is idle is replaced. Nil accepts any version.
        package var version: String?
        /// Whether to use a daemon that serves other data or has another version.
        package var acceptsAnyDaemon = false
        /// The environment that determines the socket.
        public var environment: [String: String]

        /// Creates a configuration with this process's environment.
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
        var started: [DocumentReference: Int] = [:]
        var registrations: [ObjectIdentifier: PresenterRegistration] = [:]
    }

    /// The configuration that the client was created with.
    public let configuration: Configuration
    private let socket: SocketLocation
    /// What the daemon must serve; nil when this client accepts any daemon.
    private let expectation: DaemonExpectation?
    private let state = Mutex(State())
    private let opening = Mutex(())
    /// How many thumbnails are asked for side by side: each takes a connection.
    static let mostThumbnails = 8
    let thumbnailGate = CallGate(limit: mostThumbnails)
    /// Serial: a connection for each of many ends of access would be too many for the daemon.
    private let telling = DispatchQueue(label: "org.docent.documents.telling")

    /// Creates a client; it connects on the first call.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        socket = SocketLocation(environment: configuration.environment)
        // A given socket belongs to whoever gave it, so its daemon is not checked.
        expectation =
            socket.isGiven || configuration.acceptsAnyDaemon
            ? nil : DaemonExpectation(environment: configuration.environment, version: configuration.version)
    }

    /// Ends the session and closes its connections. Calls in progress fail.
    public func close() {
        let (connections, registrations, left) = state.withLock { state in
            state.closed = true
            defer {
                state.idle = []
                state.lifeline = nil
                state.registrations = [:]
                state.started = [:]
            }
            return (
                state.idle + [state.lifeline].compactMap { $0 }, Array(state.registrations.values), state.started
            )
        }
        #if DEBUG
        if let line = AccessLeak.line(left) { _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) } }
        #else
        _ = left
        #endif
        for registration in registrations { registration.end() }
        for connection in connections { connection.close() }
    }

    deinit { close() }

    // MARK: Calls

    /// Calls a method without blocking a thread of the cooperative pool. Cancelling the task cancels the call.
    ///
    /// - Parameter attempts: the largest number of times the call is sent. Each repetition goes to a new daemon after
    ///   the previous one died.
    /// - Throws: ``DocumentsError``.
    package func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList(),
        deadline: Duration? = nil, attempts: Int = 2
    ) async throws(DocumentsError) -> Reply<Method.Reply> {
        do {
            return try await attempt(attempts) { connection in
                // Sending closes the descriptors, and the call may have to be repeated.
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

    /// Runs a body with a connection of this session on the calling thread. Retries once when the daemon has gone.
    package func attemptBlocking<Result>(_ body: (VarlinkConnection) throws -> Result) throws -> Result {
        for attempt in 0... {
            let (connection, epoch) = try take()
            do {
                let result = try body(connection)
                giveBack(connection, epoch)
                return result
            } catch let error as VarlinkError where attempt == 0 && error.code == .closed {
                lose(connection, epoch)
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
                lose(connection, epoch)
            } catch {
                giveBack(connection, epoch)
                throw error
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    /// The replies to a `more` call, on a connection of its own.
    package func stream<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) throws(DocumentsError) -> VarlinkReplies<Method.Reply> {
        do {
            return try take(fresh: true).0.stream(method.name, parameters, Method.Reply.self)
        } catch { throw Self.explain(error) }
    }

    /// Makes a `more` call on its own connection, which is closed when the task is cancelled. Retries when the daemon
    /// has gone.
    ///
    /// - Parameters:
    ///   - attempts: the largest number of times the call is sent. Each repetition goes to a new daemon after the
    ///     previous one died.
    ///   - each: receives every reply as it arrives, including the last. An error that it throws ends the call.
    /// - Returns: the last reply.
    /// - Throws: ``DocumentsError``, or what `each` throws.
    @discardableResult
    package func follow<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList(),
        attempts: Int = 2, _ each: (Method.Reply) throws -> Void
    ) async throws -> Method.Reply {
        try await followFully(method, parameters, descriptors: descriptors, attempts: attempts, each).value
    }

    /// The same, with the descriptors of the last reply.
    func followFully<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList(),
        attempts: Int = 2, _ each: (Method.Reply) throws -> Void
    ) async throws -> Reply<Method.Reply> {
        for attempt in 1... {
            let (connection, epoch): (VarlinkConnection, Int)
            do {
                (connection, epoch) = try await takeWithoutBlocking(fresh: true)
            } catch { throw Self.explain(error) }
            defer { connection.close() }
            do {
                var last: Reply<Method.Reply>?
                var replies = connection.stream(
                    method.name, parameters, Method.Reply.self, descriptors: try descriptors.duplicate()
                ).makeAsyncIterator()
                while let reply = try await replies.next() {
                    try each(reply.value)
                    last = reply
                }
                if let last { return last }
                throw DocumentsError(.failed, "The daemon ended the call without an answer.")
            } catch let error as VarlinkError where attempt < attempts && error.code == .closed {
                lose(connection, epoch)
            } catch {
                guard error is VarlinkError || error is VarlinkCallError || error is Failure else { throw error }
                throw Self.explain(error)
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    /// Sends a notification to the daemon if this session is still connected to it, and ignores failures. Returns at
    /// once.
    package func tell<Method: InterfaceMethod>(_ method: Method.Type, _ parameters: Method.Parameters) {
        let isConnected = state.withLock { !$0.closed && $0.lifeline?.isAbandoned == false }
        guard isConnected else { return }
        telling.async {
            guard let (connection, epoch) = try? self.take() else { return }
            let reply: Reply<Method.Reply>? = try? connection.callBlocking(
                method.name, parameters, deadline: .seconds(10))
            _ = reply
            self.giveBack(connection, epoch)
        }
    }

    // MARK: Documents in use

    /// Counts one more use of a document.
    func beginAccess(_ reference: DocumentReference) { state.withLock { $0.inUse[reference, default: 0] += 1 } }

    /// Counts one use less, and notifies the daemon after the session's last use.
    func endAccess(_ reference: DocumentReference) {
        let isLast = state.withLock { state in
            let left = (state.inUse[reference] ?? 0) - 1
            state.inUse[reference] = left > 0 ? left : nil
            return left == 0
        }
        if isLast { tell(DocumentsInterface.StopAccessing.self, .init(reference: reference.wire)) }
    }

    /// Counts one start of access that the daemon allowed.
    func beginStartedAccess(_ reference: DocumentReference) {
        state.withLock { $0.started[reference, default: 0] += 1 }
    }

    /// Counts one stop and notifies the daemon; an unbalanced stop is ignored.
    func endStartedAccess(_ reference: DocumentReference) {
        let isBalanced = state.withLock { state in
            guard let count = state.started[reference] else { return false }
            state.started[reference] = count > 1 ? count - 1 : nil
            return true
        }
        guard isBalanced else { return }
        tell(DocumentsInterface.StopAccessing.self, .init(reference: reference.wire, started: true))
    }

    // MARK: Connections

    /// A connection of this session, and the epoch that it belongs to.
    ///
    /// - Parameter fresh: never return a connection that was used before.
    /// - Parameter starts: whether to start a daemon when none answers.
    func take(fresh: Bool = false, starts: Bool = true) throws -> (VarlinkConnection, Int) {
        if !fresh, let ready = try ready() { return ready }
        let deadline = ContinuousClock.now + .seconds(10)
        var sessionsLost = 0
        while true {
            let (token, epoch) = try session(starts: starts)
            do {
                let connection = try VarlinkConnection.connect(path: socket.path)
                let _: Reply<DocumentsInterface.JoinSession.Reply> = try connection.callBlocking(
                    DocumentsInterface.JoinSession.name,
                    .init(token: token) as DocumentsInterface.JoinSession.Parameters, deadline: Self.patience)
                return (connection, epoch)
            } catch {
                if hasLost(epoch) {
                    // The daemon of this session has gone; one that answers now is another.
                    sessionsLost += 1
                    guard sessionsLost <= 3 else { throw error }
                    forget(epoch)
                } else {
                    // A daemon that is being killed closes its sockets one after another; one that is leaving may come
                    // back with the session intact. A moment later it is clear which of the two this is.
                    guard Self.mayPass(error), ContinuousClock.now < deadline else { throw error }
                    usleep(10_000)
                }
            }
        }
    }

    /// The asynchronous form: connecting and starting a daemon block a separate thread.
    func takeWithoutBlocking(fresh: Bool = false, starts: Bool = true) async throws -> (VarlinkConnection, Int) {
        if !fresh, let ready = try ready() { return ready }
        return try await withCheckedThrowingContinuation { continuation in
            BlockingWork.run { continuation.resume(with: Result { try self.take(fresh: true, starts: starts) }) }
        }
    }

    // Either there was no answer, or a new daemon answered that does not know the session, which is about to be lost.
    private static func mayPass(_ error: any Error) -> Bool {
        error is VarlinkError || (error as? VarlinkCallError)?.name == DocumentsInterface.name + ".NotFound"
    }

    private func hasLost(_ epoch: Int) -> Bool {
        state.withLock { $0.epoch != epoch || $0.lifeline?.isAbandoned ?? true }
    }

    /// Handles a connection that was closed during a call: by us, by the daemon, or because the daemon has gone. Only
    /// in the last case does the session end, since it owns claims and presenters on other connections.
    func lose(_ connection: VarlinkConnection, _ epoch: Int) {
        connection.close()
        guard !hasLost(epoch) else { return forget(epoch) }
        // A dying daemon closes its connections one after another, so the idle ones cannot be trusted either.
        let idle = state.withLock { state -> [VarlinkConnection] in
            guard state.epoch == epoch else { return [] }
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.close() }
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

    func giveBack(_ connection: VarlinkConnection, _ epoch: Int) {
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

    private func session(starts: Bool) throws -> (token: String, epoch: Int) {
        try opening.withLock { _ in
            if let known = state.withLock({ $0.lifeline == nil ? nil : ($0.token, $0.epoch) }) { return known }
            let (connection, reply) = try openSession(starts: starts)
            let opened = state.withLock { state -> (token: String, epoch: Int)? in
                guard !state.closed else { return nil }
                state.lifeline = connection
                state.token = reply.token
                return (state.token, state.epoch)
            }
            guard let opened else {
                connection.close()
                throw DocumentsError(.unavailable, "This client was closed.")
            }
            return opened
        }
    }

    private func openSession(starts: Bool) throws -> (VarlinkConnection, DocumentsInterface.OpenSession.Reply) {
        for attempt in 0... {
            let connection = try connectOrStart(starts)
            do {
                let reply: Reply<DocumentsInterface.OpenSession.Reply> = try connection.callBlocking(
                    DocumentsInterface.OpenSession.name,
                    .init(
                        client: configuration.clientIdentifier,
                        leavesNoTrace: configuration.leavesNoTrace ? true : nil)
                        as DocumentsInterface.OpenSession.Parameters,
                    deadline: Self.patience)
                guard let serving = reply.value.serving, let difference = expectation?.difference(from: serving)
                else { return (connection, reply.value) }
                defer { connection.close() }
                guard starts, configuration.startsDaemon, attempt < 3, case .version(_, _, isOlder: true) = difference,
                    Self.replace(connection)
                else { throw difference.error(socket: socket.path) }
            } catch let error as VarlinkError where error.code == .timedOut {
                throw DocumentsError(
                    .unavailable, "The Docent daemon does not answer.",
                    suggestion: "It may be suspended, for example by ^Z; `docent daemon stop --force` ends it.")
            } catch let error as VarlinkError where error.code == .closed && attempt < 3 {
                // It was about to exit.
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    /// For a daemon's first answers, which take it no work; the machine may still be busy.
    private static let patience = Duration.seconds(60)

    // Ends a daemon that no one else uses, and waits until it has gone.
    private static func replace(_ connection: VarlinkConnection) -> Bool {
        typealias Stop = AdministrationInterface.Stop
        do {
            let _: Reply<Stop.Reply> = try connection.callBlocking(
                Stop.name, .init(force: nil, ifIdle: true) as Stop.Parameters, deadline: .seconds(10))
        } catch {
            return false
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while !connection.isAbandoned, ContinuousClock.now < deadline { usleep(10_000) }
        return connection.isAbandoned
    }

    private func connectOrStart(_ starts: Bool) throws -> VarlinkConnection {
        // Do not even connect, because a service manager would then start a daemon.
        if configuration.leavesStopped, state.withLock({ $0.epoch > 0 }), socket.isStopped { throw Self.stopped }
        if let connection = try? VarlinkConnection.connect(path: socket.path) { return connection }
        guard starts, configuration.startsDaemon, !socket.isGiven else {
            guard !socket.isStopped else { throw Self.stopped }
            throw DocumentsError(
                .unavailable, "No Docent daemon answers at \(socket.path).",
                suggestion: "Start it with `docent daemon start`.")
        }
        // A daemon that is exiting holds its lock a little longer; another one is started after that.
        let deadline = ContinuousClock.now + .seconds(20)
        var killed = 0
        while true {
            if try DaemonLauncher.start(environment: configuration.environment) == .killed {
                // Something killed it while it started. The next one may be luckier, but do not retry for ever.
                killed += 1
                if killed > 5 { throw DaemonLauncher.doesNotStart("signals ended it repeatedly") }
                usleep(useconds_t(50_000 * killed))
            }
            for _ in 0..<20 {
                if let connection = try? VarlinkConnection.connect(path: socket.path) { return connection }
                usleep(10_000)
            }
            guard ContinuousClock.now < deadline else { throw DaemonLauncher.doesNotStart() }
        }
    }

    /// Whether the user stopped this client's daemon.
    package var isStopped: Bool { socket.isStopped }

    private static var stopped: DocumentsError {
        DocumentsError(
            .unavailable, "The Docent daemon was stopped by its user.",
            suggestion: "Start it with `docent daemon start`; any command that needs it also starts it.")
    }

    // MARK: Presenters

    /// The registrations of presenters that were added, or for which something was coordinated.
    var registrations: [PresenterRegistration] { state.withLock { Array($0.registrations.values) } }

    /// The registration of a presenter, created if necessary.
    func registration(of presenter: any FilePresenter) -> PresenterRegistration {
        state.withLock { state in
            let identifier = ObjectIdentifier(presenter)
            if let known = state.registrations[identifier], known.presenter === presenter, !known.isRemoved {
                return known
            }
            let made = PresenterRegistration(presenter, self)
            // A presenter of a closed client is never registered.
            if state.closed { made.end() }
            // Drop those of deallocated presenters: object identifiers are reused.
            state.registrations = state.registrations.filter { $0.value.presenter != nil }
            state.registrations[identifier] = made
            return made
        }
    }

    /// Removes and returns the registration of a presenter; nil when there is none.
    func forgetRegistration(of presenter: any FilePresenter) -> PresenterRegistration? {
        state.withLock { $0.registrations.removeValue(forKey: ObjectIdentifier(presenter)) }
    }
}
