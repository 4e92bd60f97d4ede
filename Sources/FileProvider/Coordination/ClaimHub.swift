import DocentInterfaces
import Synchronization

/// Carries an extension's wishes to read or write its items to the host, and the answers back. Requests and releases are told in the
/// order in which they were made, so that what is released is free before what is asked for next. Thread-safe.
final class ClaimHub: Sendable {
    typealias Message = FileProviderInterface.Claims.Reply

    /// Who follows.
    struct Listener: Sendable {
        fileprivate let number: Int
        /// Each element means that ``ClaimHub/take(_:)`` has something.
        let wakes: AsyncStream<Void>
    }

    private struct State {
        var outbox: [Message] = []
        /// Those who wait for an answer.
        var waiting: [String: CheckedContinuation<Void, any Error>] = [:]
        /// Asked for or granted, and not released.
        var open: Set<String> = []
        var count = 0
        var listener: (number: Int, wakes: AsyncStream<Void>.Continuation)?
        var listeners = 0
    }

    /// Claims of one process at the same time (T4).
    static let maximumClaims = 256

    private let grantsAll: Bool
    private let state = Mutex(State())

    /// - Parameter grantsAll: for tests of a provider without a host: every wish is granted at once.
    init(grantsAll: Bool = false) { self.grantsAll = grantsAll }

    /// Asks for a claim and waits until it is granted.
    ///
    /// - Parameter request: all but the claim's name.
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
                        .notSupported, "The host does not coordinate for this extension; do without a FileCoordinator.")
                )
            }
            try await Task.sleep(for: deadline - patience)
            withdraw(
                name,
                FileProviderError(
                    .busy, "The wish to read or write was not granted within \(deadline). Try again later."))
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

    /// Gives a claim up.
    func release(_ name: String) {
        state.withLock { state in
            guard state.open.remove(name) != nil, !grantsAll else { return }
            Self.tellRelease(name, &state)
        }
    }

    /// Takes in the host's answer.
    ///
    /// - Throws: `FileProviderError` with `noSuchItem` if nobody waits for it.
    func answered(_ answer: FileProviderInterface.ClaimAnswered.Parameters) throws {
        let waiter = state.withLock { state in
            let waiter = state.waiting.removeValue(forKey: answer.claim)
            if waiter != nil, !answer.granted { state.open.remove(answer.claim) }
            return waiter
        }
        guard let waiter else { throw FileProviderError(.noSuchItem, "Nobody waits for the claim \(answer.claim).") }
        if answer.granted {
            waiter.resume()
        } else {
            waiter.resume(throwing: FileProviderError(refusal: answer.code, answer.message))
        }
    }

    /// Becomes the one listener; an earlier one's stream ends, and it is as if that one had gone.
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

    /// Takes what is to be told; nothing for one who is no longer the listener.
    func take(_ listener: Listener) -> [Message] {
        state.withLock { state in
            guard state.listener?.number == listener.number else { return [] }
            defer { state.outbox = [] }
            return state.outbox
        }
    }

    /// A listener has gone: whom it left without an answer gets none any more.
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
    /// What the host gave as the reason why a claim was not granted.
    fileprivate init(refusal code: String?, _ message: String?) {
        let known: [FailureCode: Code] = [
            .deadlock: .deadlock, .notPermitted: .notPermitted, .notFound: .noSuchItem, .noSuchItem: .noSuchItem,
            .invalidArgument: .invalidArgument, .notSupported: .notSupported, .deadlineExceeded: .busy,
            .unavailable: .busy, .busy: .busy,
        ]
        self.init(
            code.flatMap { known[FailureCode($0)] } ?? .failed,
            message ?? "The host did not grant the wish to read or write.")
    }
}
