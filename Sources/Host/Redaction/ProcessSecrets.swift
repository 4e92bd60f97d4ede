import DocentInterfaces
import FoundationEssentials
import Keyring
import Synchronization
import Varlink

/// The secrets that one process of an extension was given or gave; known as long as its connection. Thread-safe.
package final class ProcessSecrets: Sendable {
    private struct Entry {
        var secret: Secret
        var username: String?
    }

    private struct State {
        var entries: [Entry] = []
        /// The keys of the answers to a form that are secret; nil before it has shown its forms.
        var secretKeys: Set<String>?
    }

    /// What one process can make us look for (T4); the oldest are forgotten.
    private static let maximumSecrets = 256

    private let state = Mutex(State())

    package init() {}

    /// Takes in the secrets of a message; nothing for one that has none.
    func learn(from message: some VarlinkMessage) {
        switch message {
        case let signIn as FileProviderInterface.SignIn.Parameters: learn(signIn.secret, signIn.username)
        case let forms as FileProviderInterface.SignInForms.Reply:
            let keys = forms.forms.flatMap(\.fields).filter { $0.kind == "secret" }.map(\.key)
            state.withLock { $0.secretKeys = ($0.secretKeys ?? []).union(keys) }
        case let attempt as FileProviderInterface.Authenticate.Parameters:
            let keys = state.withLock { $0.secretKeys }
            let username = attempt.values["username"]
            for (key, value) in attempt.values where keys?.contains(key) ?? true { learn(value, username) }
        case let answer as FileProviderInterface.Authenticate.Reply: learn(answer.secret, answer.username)
        case let request as FileProviderInterface.Keychain.Reply:
            if request.kind == "save" {
                learn(request.secret, request.username)
            } else {
                learn(base64: request.secret, request.account)
            }
        case let answer as FileProviderInterface.KeychainAnswered.Parameters: learn(base64: answer.secret, nil)
        default: break
        }
    }

    private func learn(base64 text: String?, _ username: String?) {
        guard let text, let bytes = Data(base64Encoded: text) else { return }
        learn(Array(bytes), username)
    }

    private func learn(_ text: String?, _ username: String?) {
        if let text { learn(Array(text.utf8), username) }
    }

    /// Takes in a secret.
    func learn(_ bytes: [UInt8], _ username: String?) {
        for part in [bytes] + Redactor.parts(of: bytes) where !part.isEmpty {
            let entry = Entry(secret: Secret(part), username: username)
            state.withLock { state in
                let isKnown = state.entries.contains { $0.secret == entry.secret && $0.username == username }
                guard !isKnown else { return }
                if state.entries.count >= Self.maximumSecrets { state.entries.removeFirst() }
                state.entries.append(entry)
            }
        }
    }

    /// What is to be looked for; to be let go of soon.
    var patterns: [SecretPattern] {
        state.withLock { state in
            state.entries.map { entry in
                SecretPattern(entry.secret.withBytes { Array($0) }, username: entry.username)
            }
        }
    }
}
