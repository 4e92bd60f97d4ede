public import FoundationEssentials
import Synchronization

/// What a provider can ask of the person who signs in, through the host. Safe to use from any task, until
/// ``ReplicatedFileProvider/authenticate(_:interaction:)`` has returned.
public final class SignInInteraction: Sendable {
    /// The address on this machine that a browser can be redirected to, `http://127.0.0.1:PORT/` or below; nil: there
    /// is no browser here, and only codes can be shown.
    public let redirectURL: String?

    private struct State {
        var arrived: String?
        var waiting: [Int: CheckedContinuation<String, any Error>] = [:]
        var count = 0
        var hasEnded = false
    }

    /// Whether a person can answer questions: otherwise ``ask(_:within:)`` fails at once.
    public let answersQuestions: Bool

    private let tell: @Sendable (SignInStep) async throws -> Void
    private let state = Mutex(State())
    private let questions = SignInQuestions()

    /// Creates an interaction for tests. Providers receive theirs.
    ///
    /// - Parameters:
    ///   - redirectURL: see ``redirectURL``.
    ///   - answersQuestions: see ``answersQuestions``.
    ///   - tell: shows a step to the person.
    public init(
        redirectURL: String? = nil, answersQuestions: Bool = true,
        tell: @escaping @Sendable (SignInStep) async throws -> Void
    ) {
        self.redirectURL = redirectURL
        self.answersQuestions = answersQuestions
        self.tell = tell
    }

    /// Asks the person to open an address in a browser on this machine.
    public func open(_ url: String) async throws {
        try Task.checkCancellation()
        try await tell(.open(url: url))
    }

    /// Asks the person to type a code at an address, in a browser on any machine.
    ///
    /// - Parameters:
    ///   - code: the code.
    ///   - url: the address.
    ///   - completeURL: the address that already contains the code, if there is one.
    ///   - expires: when the code expires, if known.
    public func show(code: String, at url: String, completeURL: String? = nil, expires: Date? = nil) async throws {
        try Task.checkCancellation()
        try await tell(.code(code, url: url, completeURL: completeURL, expires: expires))
    }

    /// Shows a message to the person. Each message extends the deadline of the attempt.
    public func message(_ text: String) async throws {
        try Task.checkCancellation()
        try await tell(.message(text))
    }

    /// Asks the person a question that could not be known before, such as a one-time code, and waits for the answer. At
    /// most 16 questions can be asked in an attempt. The answer goes to the provider only: it does not become a setting
    /// of the domain.
    ///
    /// - Parameters:
    ///   - question: a script answers it by its key; see ``SignInForm/questions``. Its texts must not contain a secret.
    ///   - patience: how long the person has to answer; at most a quarter of an hour.
    /// - Returns: The answer, as the field accepts it; empty only if the field is optional.
    /// - Throws: ``FileProviderError/Code/notAuthenticated`` when no person can be asked or none answers in time:
    ///   rethrow it, unless the provider can continue without the answer; `CancellationError` when the attempt is over.
    public func ask(_ question: SignInField, within patience: Duration = .seconds(300)) async throws -> String {
        try Task.checkCancellation()
        guard answersQuestions else {
            throw FileProviderError(.notAuthenticated, "No person can be asked for \"\(question.label)\".")
        }
        let patience = min(patience, .seconds(900))
        let answer = try await questions.ask(question, within: patience) { [tell] number in
            let seconds = Double(patience.components.seconds)
            try await tell(.question(question, number: number, expires: Date(timeIntervalSinceNow: seconds)))
        }
        guard let answer else {
            throw FileProviderError(.notAuthenticated, "\"\(question.label)\" was not answered.")
        }
        return question.normalized(answer)
    }

    /// Asks the person a yes-or-no question, such as whether the key of a host is the right one.
    ///
    /// - Parameters:
    ///   - key: identifies the question for a script.
    ///   - label: the question, in one line.
    ///   - help: what the person should know to answer it.
    ///   - patience: how long the person has to answer.
    /// - Throws: as ``ask(_:within:)``.
    public func confirm(
        _ key: String, _ label: String, help: String? = nil, within patience: Duration = .seconds(300)
    ) async throws -> Bool {
        try await ask(SignInField(key, label: label, kind: .confirm, help: help), within: patience) == "yes"
    }

    /// Delivers the answer to a question, once. Called by the host, or by a test in its place.
    ///
    /// - Parameters:
    ///   - number: the number in ``SignInStep/question(_:number:expires:)``.
    ///   - text: the answer; nil if there will be none.
    /// - Throws: ``FileProviderError/Code/noSuchItem`` when the question does not wait for an answer (any more),
    ///   ``FileProviderError/Code/invalidArgument`` for an answer that it does not accept; another one may follow.
    public func answer(_ number: Int, with text: String?) throws(FileProviderError) {
        try questions.answer(number, with: text)
    }

    /// Waits until the browser is redirected to ``redirectURL``.
    ///
    /// - Returns: The whole address with its query. It comes from outside: check the state in it.
    /// - Throws: ``FileProviderError/Code/notAuthenticated`` when the browser was not redirected in time;
    ///   `CancellationError`.
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
                        .notAuthenticated, "The browser was not redirected within \(patience). Sign in again.")))
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

    /// Reports the address that the browser was redirected to. Called by the host, or by a test in its place. The last
    /// call counts.
    public func `continue`(with url: String) {
        let waiter = state.withLock { state in
            if let number = state.waiting.keys.min() { return state.waiting.removeValue(forKey: number) }
            state.arrived = url
            return nil
        }
        waiter?.resume(returning: url)
    }

    /// Ends the attempt: no redirect is accepted any more.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            state.arrived = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.resume(throwing: CancellationError()) }
        questions.end()
    }

    private func finish(_ number: Int, _ result: Result<String, any Error>) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(with: result)
    }
}
