import FoundationEssentials
import Synchronization

/// The open questions of one sign-in attempt. Thread-safe.
final class SignInQuestions: Sendable {
    /// The most questions in one attempt.
    static let maximum = 16

    private struct Question {
        let field: SignInField
        var waiter: CheckedContinuation<String?, any Error>?
        /// An outcome that arrived before the wait began.
        var outcome: Result<String?, any Error>?
    }

    private struct State {
        var open: [Int: Question] = [:]
        var count = 0
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Asks a question and waits for the answer.
    ///
    /// - Parameters:
    ///   - patience: how long the person has to answer.
    ///   - tell: shows the question with its number to the person.
    /// - Returns: The answer; nil if there will be none.
    /// - Throws: ``FileProviderError/Code/failed`` for one question too many,
    ///   ``FileProviderError/Code/notAuthenticated`` when no answer came in time; `CancellationError`.
    func ask(
        _ field: SignInField, within patience: Duration, _ tell: (_ number: Int) async throws -> Void
    ) async throws -> String? {
        let number = try open(field)
        defer { state.withLock { _ = $0.open.removeValue(forKey: number) } }
        let timer = Task { [weak self] in
            try await Task.sleep(for: patience)
            self?.finish(
                number,
                .failure(
                    FileProviderError(
                        .notAuthenticated, "\"\(field.label)\" was not answered within \(patience). Sign in again.")))
        }
        defer { timer.cancel() }
        try await tell(number)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<String?, any Error>? in
                    if Task.isCancelled || state.hasEnded { return .failure(CancellationError()) }
                    if let outcome = state.open[number]?.outcome { return outcome }
                    state.open[number]?.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            finish(number, .failure(CancellationError()))
        }
    }

    /// Delivers the answer to a question, once.
    ///
    /// - Throws: ``FileProviderError/Code/noSuchItem`` when it does not wait for one (any more),
    ///   ``FileProviderError/Code/invalidArgument`` for an answer that it does not accept: it continues to wait.
    func answer(_ number: Int, with text: String?) throws(FileProviderError) {
        let field = state.withLock { state in
            state.open[number].flatMap { $0.outcome == nil ? $0.field : nil }
        }
        guard let field else { throw FileProviderError(.noSuchItem, "This question does not wait for an answer.") }
        if let text {
            guard !text.isEmpty || field.isOptional else {
                throw FileProviderError(.invalidArgument, "\"\(field.label)\" must not be empty.")
            }
            if !text.isEmpty { try field.check(text) }
        }
        guard finish(number, .success(text)) else {
            throw FileProviderError(.noSuchItem, "This question does not wait for an answer.")
        }
    }

    /// Ends the attempt.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.open = [:] }
            return state.open.values.compactMap(\.waiter)
        }
        for waiter in waiting { waiter.resume(throwing: CancellationError()) }
    }

    private func open(_ field: SignInField) throws(FileProviderError) -> Int {
        let number = state.withLock { state -> Int? in
            guard !state.hasEnded, state.count < Self.maximum else { return nil }
            state.count += 1
            state.open[state.count] = Question(field: field)
            return state.count
        }
        guard let number else {
            throw FileProviderError(.failed, "At most \(Self.maximum) questions can be asked during a sign-in.")
        }
        return number
    }

    // Returns whether it was the first outcome.
    @discardableResult
    private func finish(_ number: Int, _ outcome: Result<String?, any Error>) -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            guard state.open[number] != nil, state.open[number]?.outcome == nil else {
                return (false, nil as CheckedContinuation<String?, any Error>?)
            }
            state.open[number]?.outcome = outcome
            defer { state.open[number]?.waiter = nil }
            return (true, state.open[number]?.waiter)
        }
        waiter?.resume(with: outcome)
        return isFirst
    }
}
