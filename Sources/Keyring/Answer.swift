import CLibSecret
import Synchronization

/// A pending request to the keyring. It is answered once: by the service, the deadline or a cancellation.
///
/// `@unchecked`: the GCancellable may be used from several threads, and the mutex protects the rest.
final class Answer<Value: Sendable>: @unchecked Sendable {
    typealias Outcome = Result<Value, KeyringError>

    private enum State {
        case open(CheckedContinuation<Outcome, Never>?)
        case answered(Outcome)
        case delivered
    }

    /// Interrupts a waiting call of libsecret.
    let cancellable: UnsafeMutablePointer<GCancellable>?
    private let state = Mutex<State>(.open(nil))

    init() { cancellable = g_cancellable_new() }

    deinit { docent_object_unref(cancellable) }

    var isOpen: Bool {
        state.withLock { if case .open = $0 { true } else { false } }
    }

    /// Waits for the first answer. Call it once.
    func value() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome: Outcome? = state.withLock { state in
                guard case .answered(let outcome) = state else {
                    state = .open(continuation)
                    return nil
                }
                state = .delivered
                return outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// Answers, if there is no answer yet.
    func give(_ outcome: Outcome) {
        let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            guard case .open(let continuation) = state else { return nil }
            state = continuation == nil ? .answered(outcome) : .delivered
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Answers with an error and interrupts the running call.
    func interrupt(_ error: KeyringError) {
        give(.failure(error))
        g_cancellable_cancel(cancellable)
    }
}
