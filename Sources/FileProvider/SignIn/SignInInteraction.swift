public import FoundationEssentials
import Synchronization

/// What a provider can ask of the person who signs in, through the host. Safe to use from any task; of no use after
/// ``ReplicatedFileProvider/authenticate(_:interaction:)`` has returned.
public final class SignInInteraction: Sendable {
    /// The address on this machine that a browser may be sent back to, `http://127.0.0.1:PORT/` or below; nil: there is no browser here,
    /// and only codes can be shown.
    public let redirectURL: String?

    private struct State {
        var arrived: String?
        var waiting: [Int: CheckedContinuation<String, any Error>] = [:]
        var count = 0
        var hasEnded = false
    }

    private let tell: @Sendable (SignInStep) async throws -> Void
    private let state = Mutex(State())

    /// An interaction. Providers get theirs; their tests make one.
    ///
    /// - Parameters:
    ///   - redirectURL: see ``redirectURL``.
    ///   - tell: shows a step to the person.
    public init(redirectURL: String? = nil, tell: @escaping @Sendable (SignInStep) async throws -> Void) {
        self.redirectURL = redirectURL
        self.tell = tell
    }

    /// Asks the person to go to an address with a browser on this machine.
    public func open(_ url: String) async throws {
        try Task.checkCancellation()
        try await tell(.open(url: url))
    }

    /// Asks the person to type a code at an address, with a browser anywhere.
    ///
    /// - Parameters:
    ///   - code: to be typed.
    ///   - url: where.
    ///   - completeURL: the address with the code in it, if there is one.
    ///   - expires: when the code is worth nothing any more, if that is known.
    public func show(code: String, at url: String, completeURL: String? = nil, expires: Date? = nil) async throws {
        try Task.checkCancellation()
        try await tell(.code(code, url: url, completeURL: completeURL, expires: expires))
    }

    /// Tells the person something. Each word extends the deadline of the attempt.
    public func message(_ text: String) async throws {
        try Task.checkCancellation()
        try await tell(.message(text))
    }

    /// Waits until the browser was sent back to ``redirectURL``.
    ///
    /// - Returns: The whole address, with its query. It comes from outside: check the state in it.
    /// - Throws: ``FileProviderError/Code/notAuthenticated`` when nobody came back in time; `CancellationError`.
    public func redirected(within patience: Duration = .seconds(600)) async throws -> String {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let timer = Task { [weak self] in
            try await Task.sleep(for: patience)
            self?.finish(
                number,
                .failure(
                    FileProviderError(
                        .notAuthenticated, "The browser did not come back within \(patience). Sign in again.")))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<String, any Error>? in
                    if Task.isCancelled || state.hasEnded { return .failure(CancellationError()) }
                    if let url = state.arrived {
                        state.arrived = nil
                        return .success(url)
                    }
                    state.waiting[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            finish(number, .failure(CancellationError()))
        }
    }

    /// The browser was sent back to an address. Called by the host; tests call it in its place. The last one counts.
    public func `continue`(with url: String) {
        let waiter = state.withLock { state in
            if let number = state.waiting.keys.min() { return state.waiting.removeValue(forKey: number) }
            state.arrived = url
            return nil
        }
        waiter?.resume(returning: url)
    }

    /// The attempt is over: nobody comes back any more.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            state.arrived = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.resume(throwing: CancellationError()) }
    }

    private func finish(_ number: Int, _ result: Result<String, any Error>) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(with: result)
    }
}
