import CLibSecret
import Synchronization

/// One question to the keyring: it is answered once, by the service, by the deadline or by cancellation.
///
/// `@unchecked`: the GCancellable is made for use from several threads, the rest is behind the mutex.
final class Answer<Value: Sendable>: @unchecked Sendable {
    typealias Outcome = Result<Value, KeyringError>

    private enum State {
        case open(CheckedContinuation<Outcome, Never>?)
        case answered(Outcome)
        case delivered
    }

    /// What interrupts a call of libsecret that waits.
    let cancellable: UnsafeMutablePointer<GCancellable>?
    private let state = Mutex<State>(.open(nil))

    init() { cancellable = g_cancellable_new() }

    deinit { docent_object_unref(cancellable) }

    var isOpen: Bool {
        state.withLock { if case .open = $0 { true } else { false } }
    }

    /// Waits for the first answer. Called once.
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

    /// Answers, unless that happened already.
    func give(_ outcome: Outcome) {
        let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            guard case .open(let continuation) = state else { return nil }
            state = continuation == nil ? .answered(outcome) : .delivered
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Answers with an error and interrupts the call that is under way.
    func interrupt(_ error: KeyringError) {
        give(.failure(error))
        g_cancellable_cancel(cancellable)
    }
}
