package import DocentInterfaces
import ExtensionManifest
import Glibc
package import HostCore
import Synchronization
package import Varlink

/// A running extension, ready to be called.
///
/// Thread-safe. Every call has a deadline (law 5); a provider's error reaches the caller with its chain (D13).
package final class ExtensionConnection: Sendable {
    /// Bundle identifier of the provider.
    package let provider: String
    /// The features it declared in its answer to Initialize.
    package let features: Set<String>
    /// What runs it.
    package let program: any ExtensionProgram
    /// The files of its code, as they were when it started.
    let files: LibraryFiles
    /// The folders that its sandbox should show.
    let folders: ShownFolders
    private let pool: ConnectionPool
    private let deadline: Duration
    private let clock: any HostClock
    private let streams = Mutex(0)
    /// The secrets it was given.
    private let secrets: ProcessSecrets
    private let known: KnownSecrets
    /// Its calls in progress that change something.
    package let served = ServedCalls()
    /// The connection to the process that follows this one; nil when there will be none.
    private let successor = Mutex<(@Sendable () async throws -> ExtensionConnection)?>(nil)

    /// - Parameter known: where the secrets given to this process are recorded from now on.
    package init(
        provider: String, features: Set<String>, program: any ExtensionProgram, pool: ConnectionPool,
        deadline: Duration,
        known: KnownSecrets, files: LibraryFiles, folders: ShownFolders = ShownFolders(),
        clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.files = files
        self.folders = folders
        self.known = known
        secrets = known.process(of: provider)
        self.provider = provider
        self.features = features
        self.program = program
        self.pool = pool
        self.deadline = deadline
    }

    /// Whether it can be called: its process runs and neither end has hung up.
    package var isAlive: Bool { program.isRunning && !pool.isAbandoned }

    /// Calls in progress. The streams of changes and of the provider's claims are always open and do not count.
    package var busyCount: Int { max(0, pool.busyCount - streams.withLock { $0 }) }

    /// The end of its standard output and error, without secrets.
    package var errorText: String { known.redact(program.errorText, of: provider) }

    /// A text from the extension, without secrets.
    package func redact(_ text: String) -> String { known.redact(text, of: provider) }

    /// Records a secret that the keyring accepted from the extension.
    package func learnKept(_ request: FileProviderInterface.Keychain.Reply) { secrets.learnKept(request) }

    private func learn(from message: some VarlinkMessage, _ method: String) {
        if type(of: message).hasSecrets || method == FileProviderInterface.SignInForms.name {
            secrets.learn(from: message)
        }
    }

    /// Calls a method of the extension. If the process ends without having read a query, the query goes to the next
    /// process (law 3).
    ///
    /// - Throws: ``Failure`` in the terms of a service (``ProviderFailures``): a provider's own error with its chain,
    ///   `DeadlineExceeded` when it does not answer in time, `Unavailable` when its process ended.
    package func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList()
    ) async throws(Failure) -> Reply<Method.Reply> {
        learn(from: parameters, method.name)
        let call = served.begin(parameters)
        defer { served.end(call) }
        do {
            let reply: Reply<Method.Reply> = try await pool.withConnection { connection in
                try await connection.call(method.name, parameters, descriptors: descriptors, deadline: deadline)
            }
            learn(from: reply.value, method.name)
            return reply
        } catch {
            if let next = await successor(after: error, to: method.name) {
                return try await next.call(method, parameters)
            }
            throw await explain(error, method.shortName)
        }
    }

    /// Reads the stream of a `more` method, on its own connection, until the stream ends.
    package func withStream<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        _ body: (Reply<Method.Reply>) async throws -> Void
    ) async throws {
        learn(from: parameters, method.name)
        streams.withLock { $0 += 1 }
        defer { streams.withLock { $0 -= 1 } }
        try await pool.withConnection(isOwn: true) { connection in
            defer { connection.close() }
            for try await reply in connection.stream(method.name, parameters, Method.Reply.self) {
                learn(from: reply.value, method.name)
                try await body(reply)
            }
        }
    }

    /// Calls a method that reports progress: every reply except the last reports some, and extends the deadline (law
    /// 5).
    ///
    /// - Parameter given: the watch over the call; nil for the usual deadline. It is longer where a person must act.
    /// - Returns: the last reply.
    /// - Throws: ``Failure``, as ``call(_:_:descriptors:)``.
    package func callWithProgress<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList,
        watch given: ProgressWatch? = nil, _ progress: (Method.Reply) -> Void = { _ in }
    ) async throws(Failure) -> Reply<Method.Reply> {
        learn(from: parameters, method.name)
        let watch = given ?? progressWatch()
        let call = served.begin(parameters)
        defer { served.end(call) }
        do {
            return try await pool.withConnection { connection in
                let guardian = Task {
                    await watch.waitForSilence()
                    if !Task.isCancelled { connection.close() }
                }
                defer { guardian.cancel() }
                var last: Reply<Method.Reply>?
                for try await reply in connection.stream(
                    method.name, parameters, Method.Reply.self, descriptors: descriptors)
                {
                    learn(from: reply.value, method.name)
                    watch.note(ProgressBytes.completed(in: reply.value))
                    progress(reply.value)
                    last = reply
                }
                guard let last else { throw VarlinkError(.closed, "The provider answered nothing.") }
                return last
            }
        } catch {
            if watch.isSilent { throw await explain(VarlinkError(.timedOut, "no progress"), method.shortName) }
            throw await explain(error, method.shortName)
        }
    }

    /// A watch over a call that reports its progress.
    ///
    /// - Parameter patience: how long the call may be silent; nil for the usual deadline.
    package func progressWatch(patience: Duration? = nil) -> ProgressWatch {
        ProgressWatch(deadline: patience ?? deadline, clock: clock)
    }

    /// Records a secret that a person gave in answer to the extension's question.
    package func learnAnswer(_ secret: String) { secrets.learn(Array(secret.utf8), nil) }

    /// Ends the connections.
    package func close() { pool.close() }

    /// Sets the process that gets a query which this one never read.
    func isFollowed(by successor: @escaping @Sendable () async throws -> ExtensionConnection) {
        self.successor.withLock { $0 = successor }
    }

    /// Ends the connections of a process that is about to end; no query is repeated.
    func retire() {
        successor.withLock { $0 = nil }
        close()
    }

    /// Methods that change nothing, and send nothing except their parameters.
    static let questions: Set<String> = [
        FileProviderInterface.Item.name, FileProviderInterface.Child.name, FileProviderInterface.Children.name,
        FileProviderInterface.Changes.name, FileProviderInterface.OpenInPlace.name,
        FileProviderInterface.PersistentIdentifier.name, FileProviderInterface.URLForItem.name,
    ]

    /// How long the end of a process may go unnoticed after its socket has closed: the machine may be busy.
    static let patience = Duration.seconds(5)

    private func successor(after error: any Error, to method: String) async -> ExtensionConnection? {
        guard Self.questions.contains(method), Self.wasNotRead(error), let next = successor.withLock({ $0 }) else {
            return nil
        }
        // Until its end is noticed, this connection would be its own successor.
        _ = await program.exit(within: Self.patience)
        let following = try? await next()
        return following === self ? nil : following
    }

    // The kernel distinguishes a query that was never read (ECONNRESET, EPIPE) from one that the process may have died
    // of, which is not repeated. Without a connection, nothing was sent.
    private static func wasNotRead(_ error: any Error) -> Bool {
        if error is ConnectionPool.Ended { return true }
        guard let transport = error as? VarlinkError else { return false }
        return transport.errno == ECONNRESET || transport.errno == EPIPE
    }

    private func explain(_ error: any Error, _ method: String) async -> Failure {
        known.redact(await judge(error, method), of: provider)
    }

    private func judge(_ error: any Error, _ method: String) async -> Failure {
        switch error {
        case let failure as Failure: return failure
        case is ConnectionPool.Ended where successor.withLock({ $0 == nil }):
            return Failure(.unavailable, "The provider's process has ended.", suggestion: "Try again.")
        case let reply as VarlinkCallError:
            var failure = Failure(reply)
            if failure.code == .serverUnreachable {
                failure = folders.explained(failure, provider: provider)
                if failure.suggestion == nil, features.contains("inPlace") {
                    failure.suggestion = "See whether it is there and you may read it."
                }
            }
            return ProviderFailures.translate(failure, provider: provider)
        case let transport as VarlinkError where transport.code == .timedOut:
            return Failure(
                .deadlineExceeded, "\(provider) did not answer \(method) within \(deadline).",
                suggestion: "Try again; `docent provider reset \(provider)` restarts it.", provider: provider)
        case let transport as VarlinkError where transport.code == .cancelled:
            return Failure(.cancelled, "The call was cancelled.", provider: provider)
        case is CancellationError: return Failure(.cancelled, "The call was cancelled.", provider: provider)
        case let transport as VarlinkError where Self.brokenProtocol.contains(transport.code):
            return Failure(
                .providerFailed, "\(provider) broke the protocol when it answered \(method): \(transport)",
                suggestion: "Tell its authors; `docent provider reset \(provider)` restarts it.", provider: provider)
        default: return await ended(method)
        }
    }

    /// Errors that a peer which follows the protocol never causes.
    static let brokenProtocol: Set<VarlinkError.Code> = [.malformed, .tooDeep, .messageTooLarge, .descriptorMismatch]

    private func ended(_ method: String) async -> Failure {
        // A process that has just died is reaped in a moment.
        let exit = await program.exit(within: Self.patience)
        let isExcess = exit?.isExcess ?? false
        return Failure(
            .unavailable, "\(provider) \(exit?.description ?? "hung up") while it answered \(method).",
            suggestion: isExcess
                ? "`docent provider show \(provider)` tells its limits, which its manifest sets."
                : "Try again; `docent doctor` says what is known of its crashes.", provider: provider)
    }
}
