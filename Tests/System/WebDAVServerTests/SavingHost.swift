import DocentInterfaces
import Synchronization

@testable import FileProvider

/// The host's side of a provider's saves: real messages, answered as configured.
final class SavingHost: Sendable {
    private struct State {
        var saved: [Credential] = []
        var asked = 0
        /// The code of the error to answer with.
        var refusal: String?
        /// The number of saves before that.
        var grace = 0
        /// The number of answers before the rest waits; nil for all.
        var answered: Int?
        var held: [String] = []
    }

    let host: FileProviderHost
    private let hub = KeychainHub()
    private let state = Mutex(State())
    private let following = Mutex<Task<Void, Never>?>(nil)

    init() {
        host = FileProviderHost(
            provider: "org.example.Test", domain: "test", events: EventHub(), claims: ClaimHub(grantsAll: true),
            keychain: hub)
        let listener = hub.listen()
        let task = Task { [weak self, hub] in
            for await _ in listener.wakes {
                for message in hub.take(listener) { self?.answer(message) }
            }
        }
        following.withLock { $0 = task }
    }

    deinit { following.withLock { $0?.cancel() } }

    /// The saved values, in order.
    var saved: [Credential] { state.withLock { $0.saved } }
    /// The number of requests to save.
    var asked: Int { state.withLock { $0.asked } }

    /// From now on, or after some more, saves fail with this error; nil for none.
    func refuse(_ code: String?, after grace: Int = 0) {
        state.withLock { state in
            state.refusal = code
            state.grace = grace
        }
    }

    /// Answers some more, and then none.
    func hold(after count: Int) { state.withLock { $0.answered = count } }

    /// Answers the waiting requests, and later ones at once.
    func release() {
        let held = state.withLock { state in
            state.answered = nil
            defer { state.held = [] }
            return state.held
        }
        for request in held { try? hub.answered(.init(request: request)) }
    }

    private func answer(_ message: KeychainHub.Message) {
        let (answers, code) = state.withLock { state in
            state.asked += 1
            let isHeld = state.answered == 0
            if isHeld { state.held.append(message.request) }
            if let count = state.answered, count > 0 { state.answered = count - 1 }
            let refusal = state.grace > 0 ? nil : state.refusal
            state.grace -= state.grace > 0 ? 1 : 0
            if refusal == nil {
                state.saved.append(
                    Credential(
                        kind: .init(rawValue: message.credentialKind ?? ""), username: message.username,
                        secret: message.secret))
            }
            return (!isHeld, refusal)
        }
        guard answers else { return }
        try? hub.answered(.init(request: message.request, code: code, message: code.map { "Not kept: \($0)." }))
    }
}
