import DocentInterfaces
import Synchronization

/// Sends an extension's claims on its items to the host and delivers the answers. Requests and releases are sent in the
/// order in which they were made, so that a released item is free before the next request. Thread-safe.
final class ClaimHub: Sendable {
    typealias Message = FileProviderInterface.Claims.Reply

    /// The host's subscription.
    struct Listener: Sendable {
        fileprivate let number: Int
        /// Each element means that ``ClaimHub/take(_:)`` has something.
        let wakes: AsyncStream<Void>
    }

    private struct State {
        var outbox: [Message] = []
        /// The requests that wait for an answer.
        var waiting: [String: CheckedContinuation<Void, any Error>] = [:]
        /// Claims that are requested or granted, and not released.
        var open: Set<String> = []
        var count = 0
        var listener: (number: Int, wakes: AsyncStream<Void>.Continuation)?
        var listeners = 0
    }

    /// The most claims that one process may hold or request at the same time.
    static let maximumClaims = 256

    private let grantsAll: Bool
    private let state = Mutex(State())

    /// - Parameter grantsAll: grants every claim at once, for tests of a provider without a host.
    init(grantsAll: Bool = false) { self.grantsAll = grantsAll }

    /// Requests a claim and waits until it is granted.
    ///
    /// - Parameter request: everything but the claim's name.
    /// - Returns: the claim's name, to be released once.
    /// - Throws: `FileProviderError` with the host's reason; `busy` after the deadline, and beyond ``maximumClaims``;
    ///   `CancellationError`.
    func acquire(_ request: Message, deadline: Duration) async throws -> String {
        let name = try state.withLock { state in
            guard state.open.count < Self.maximumClaims else {
                throw FileProviderError(
                    .busy,
                    "The provider has \(Self.maximumClaims) claims; it must release some before it asks for more.")
            }
            state.count += 1
            let name = "claim-\(state.count)"
            state.open.insert(name)
            return name
        }
        guard !grantsAll else { return name }
        let timer = Task {
            let patience = min(deadline, .seconds(10))
            try await Task.sleep(for: patience)
            if state.withLock({ $0.outbox.contains { $0.claim == name } }) {
                withdraw(
                    name,
                    FileProviderError(
                        .notSupported, "The host does not support file coordination for this extension.")
                )
            }
            try await Task.sleep(for: deadline - patience)
            withdraw(
                name,
                FileProviderError(
                    .busy, "The claim was not granted within \(deadline). Try again later."))
        }
        defer { timer.cancel() }
        var message = request
        message.kind = "request"
        message.claim = name
        message.enclosing = state.withLock { state in request.enclosing?.filter(state.open.contains) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else {
                        state.open.remove(name)
                        return true
                    }
                    state.waiting[name] = continuation
                    state.outbox.append(message)
                    state.listener?.wakes.yield()
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            withdraw(name, CancellationError())
        }
        return name
    }

    /// Releases a claim.
    func release(_ name: String) {
        state.withLock { state in
            guard state.open.remove(name) != nil, !grantsAll else { return }
            Self.tellRelease(name, &state)
        }
    }

    /// Delivers the host's answer.
    ///
    /// - Throws: `FileProviderError` with `noSuchItem` if no request waits for it.
    func answered(_ answer: FileProviderInterface.ClaimAnswered.Parameters) throws {
        let waiter = state.withLock { state in
            let waiter = state.waiting.removeValue(forKey: answer.claim)
            if waiter != nil, !answer.granted { state.open.remove(answer.claim) }
            return waiter
        }
        guard let waiter else { throw FileProviderError(.noSuchItem, "The claim \(answer.claim) is not awaited.") }
        if answer.granted {
            waiter.resume()
        } else {
            waiter.resume(throwing: FileProviderError(refusal: answer.code, answer.message))
        }
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

    /// Takes the messages to be sent; none if the listener has been replaced.
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

    private static func abandon(_ state: inout State) -> [CheckedContinuation<Void, any Error>] {
        state.listener = nil
        let unsent = Set(state.outbox.map(\.claim))
        let lost = state.waiting.filter { !unsent.contains($0.key) }
        for name in lost.keys {
            state.waiting[name] = nil
            state.open.remove(name)
        }
        return Array(lost.values)
    }

    private static func disappoint(_ waiting: [CheckedContinuation<Void, any Error>]) {
        for waiter in waiting {
            waiter.resume(throwing: FileProviderError(.failed, "The host went away before it granted the claim."))
        }
    }

    private func withdraw(_ name: String, _ error: any Error) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let waiter = state.waiting.removeValue(forKey: name) else { return nil }
            state.open.remove(name)
            Self.tellRelease(name, &state)
            return waiter
        }
        waiter?.resume(throwing: error)
    }

    private static func tellRelease(_ name: String, _ state: inout State) {
        if let unsent = state.outbox.firstIndex(where: { $0.claim == name }) {
            state.outbox.remove(at: unsent)
        } else {
            state.outbox.append(Message(kind: "release", claim: name))
            state.listener?.wakes.yield()
        }
    }
}

extension FileProviderError {
    /// The host's reason for refusing a claim.
    fileprivate init(refusal code: String?, _ message: String?) {
        let known: [FailureCode: Code] = [
            .deadlock: .deadlock, .notPermitted: .notPermitted, .notFound: .noSuchItem, .noSuchItem: .noSuchItem,
            .invalidArgument: .invalidArgument, .notSupported: .notSupported, .deadlineExceeded: .busy,
            .unavailable: .busy, .busy: .busy,
        ]
        self.init(
            code.flatMap { known[FailureCode($0)] } ?? .failed,
            message ?? "The host did not grant the claim.")
    }
}
