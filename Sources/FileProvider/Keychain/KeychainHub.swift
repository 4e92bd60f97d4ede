import DocentInterfaces
import Synchronization

/// Sends an extension's keychain requests to the host and delivers the answers. Thread-safe; every wait has a deadline.
final class KeychainHub: Sendable {
    typealias Message = FileProviderInterface.Keychain.Reply
    typealias Answer = FileProviderInterface.KeychainAnswered.Parameters

    /// The host's subscription.
    struct Listener: Sendable {
        fileprivate let number: Int
        /// Each element means that ``KeychainHub/take(_:)`` has something.
        let wakes: AsyncStream<Void>
    }

    private struct State {
        var outbox: [Message] = []
        var waiting: [String: CheckedContinuation<Answer, any Error>] = [:]
        var count = 0
        var listener: (number: Int, wakes: AsyncStream<Void>.Continuation)?
        var listeners = 0
    }

    /// The most requests of one process at the same time.
    static let maximumRequests = 64

    private let memory: MemoryKeychain?
    private let deadline: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - memory: answers at once, for tests of a provider without a host.
    ///   - deadline: the deadline of each request.
    init(memory: MemoryKeychain? = nil, deadline: Duration = .seconds(60)) {
        self.memory = memory
        self.deadline = deadline
    }

    /// Passes a refreshed credential of a domain to the host, which stores it in place of the original one.
    ///
    /// - Throws: `FileProviderError`: `notAuthenticated` when the domain has been signed out meanwhile,
    ///   `keychainUnavailable`.
    func save(domain: String, credential: Credential) async throws(FileProviderError) {
        _ = try await ask(
            Message(
                kind: "save", request: "", domain: domain, secret: credential.secret,
                credentialKind: credential.kind.rawValue, username: credential.username))
    }

    /// Sends a request and waits for the answer.
    ///
    /// - Parameter request: everything but the request's name.
    /// - Throws: `FileProviderError` with the host's reason; `busy` beyond ``maximumRequests``, `keychainUnavailable`
    ///   after the deadline, `notSupported` where the host has no keychain.
    func ask(_ request: Message) async throws(FileProviderError) -> Answer {
        if let memory { return try memory.answer(request) }
        do {
            let answer = try await wait(for: request)
            if let code = answer.code { throw FileProviderError(keychain: code, answer.message) }
            return answer
        } catch {
            throw FileProviderError(wrapping: error)
        }
    }

    private func wait(for request: Message) async throws -> Answer {
        let name = state.withLock { state in
            state.count += 1
            return "request-\(state.count)"
        }
        var message = request
        message.request = name
        let timer = Task {
            let patience = min(deadline, .seconds(10))
            try await Task.sleep(for: patience)
            if state.withLock({ $0.outbox.contains { $0.request == name } }) {
                withdraw(name, FileProviderError(.notSupported, "The host has no keychain for this extension."))
            }
            try await Task.sleep(for: deadline - patience)
            withdraw(
                name, FileProviderError(.keychainUnavailable, "The keyring did not answer within \(deadline)."))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let refusal = state.withLock { state -> (any Error)? in
                    if Task.isCancelled { return CancellationError() }
                    guard state.waiting.count < Self.maximumRequests else {
                        return FileProviderError(
                            .busy, "\(Self.maximumRequests) requests to the keychain wait for their answers already.")
                    }
                    state.waiting[name] = continuation
                    state.outbox.append(message)
                    state.listener?.wakes.yield()
                    return nil
                }
                if let refusal { continuation.resume(throwing: refusal) }
            }
        } onCancel: {
            withdraw(name, CancellationError())
        }
    }

    /// Delivers the host's answer.
    ///
    /// - Throws: `FileProviderError` with `noSuchItem` if no request waits for it.
    func answered(_ answer: Answer) throws(FileProviderError) {
        guard let waiter = state.withLock({ $0.waiting.removeValue(forKey: answer.request) }) else {
            throw FileProviderError(.noSuchItem, "The request \(answer.request) does not wait for an answer.")
        }
        waiter.resume(returning: answer)
    }

    /// Becomes the one listener. The stream of an earlier listener ends, as if that listener had stopped.
    func listen() -> Listener {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, earlier, waiting) = state.withLock { state in
            state.listeners += 1
            let earlier = state.listener?.wakes
            let waiting = earlier == nil ? [] : Self.abandon(&state)
            state.listener = (state.listeners, continuation)
            return (state.listeners, earlier, waiting)
        }
        earlier?.finish()
        Self.disappoint(waiting)
        continuation.yield()
        return Listener(number: number, wakes: stream)
    }

    /// Takes the requests to be sent; none if the listener has been replaced.
    func take(_ listener: Listener) -> [Message] {
        state.withLock { state in
            guard state.listener?.number == listener.number else { return [] }
            defer { state.outbox = [] }
            return state.outbox
        }
    }

    /// Ends a listener. Requests that it left unanswered fail.
    func stop(_ listener: Listener) {
        let waiting = state.withLock { state in
            state.listener?.number == listener.number ? Self.abandon(&state) : []
        }
        Self.disappoint(waiting)
    }

    private static func abandon(_ state: inout State) -> [CheckedContinuation<Answer, any Error>] {
        state.listener = nil
        let unsent = Set(state.outbox.map(\.request))
        let lost = state.waiting.filter { !unsent.contains($0.key) }
        for name in lost.keys { state.waiting[name] = nil }
        return Array(lost.values)
    }

    private static func disappoint(_ waiting: [CheckedContinuation<Answer, any Error>]) {
        for waiter in waiting {
            waiter.resume(
                throwing: FileProviderError(.keychainUnavailable, "The host went away before the keyring answered."))
        }
    }

    private func withdraw(_ name: String, _ error: any Error) {
        let waiter = state.withLock { state in
            state.outbox.removeAll { $0.request == name }
            return state.waiting.removeValue(forKey: name)
        }
        waiter?.resume(throwing: error)
    }
}

extension FileProviderError {
    /// The host's reason for refusing a keychain request.
    fileprivate init(keychain code: String, _ message: String?) {
        let known: [FailureCode: Code] = [
            .notPermitted: .notPermitted, .notFound: .noSuchItem, .invalidArgument: .invalidArgument,
            .notSupported: .notSupported, .noSpace: .insufficientQuota, .notAuthenticated: .notAuthenticated,
            .busy: .busy, .unavailable: .keychainUnavailable, .deadlineExceeded: .keychainUnavailable,
        ]
        self.init(known[FailureCode(code)] ?? .failed, message ?? "The host did not carry out the keychain request.")
    }
}
