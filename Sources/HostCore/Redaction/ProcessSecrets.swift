package import DocentInterfaces
import FoundationEssentials
import Keyring
import Synchronization
package import Varlink

/// The secrets that one extension process received or supplied, kept while its connection lasts. Thread-safe.
package final class ProcessSecrets: Sendable {
    private struct Entry {
        var secret: Secret
        var username: String?
        /// Whether only the provider says that it is a secret.
        var isClaimed: Bool
        /// Whether it is unlike ordinary text (``LikelySecret``).
        var isLikely: Bool
    }

    private struct State {
        var entries: [Entry] = []
        /// The keys of secret fields in sign-in forms; nil until the extension has shown its forms.
        var secretKeys: Set<String>?
    }

    /// The most secrets that one process can make us search for; the oldest are forgotten.
    private static let maximumSecrets = 256

    private let state = Mutex(State())
    private let names: Set<String>

    /// - Parameter names: texts that never count as secrets, even if the provider says so.
    package init(names: Set<String> = []) { self.names = names }

    /// Records the secrets in a message, if there are any.
    package func learn(from message: some VarlinkMessage) {
        switch message {
        case let signIn as FileProviderInterface.SignIn.Parameters: learn(signIn.secret, signIn.username)
        case let forms as FileProviderInterface.SignInForms.Reply:
            let keys = forms.forms.flatMap(\.fields).filter { $0.kind == "secret" }.map(\.key)
            state.withLock { $0.secretKeys = ($0.secretKeys ?? []).union(keys) }
        case let attempt as FileProviderInterface.Authenticate.Parameters:
            let keys = state.withLock { $0.secretKeys }
            let username = attempt.values["username"]
            for (key, value) in attempt.values where keys?.contains(key) ?? true { learn(value, username) }
        case let answer as FileProviderInterface.Authenticate.Reply:
            learn(answer.secret, answer.username, isClaimed: true)
        case let answer as FileProviderInterface.KeychainAnswered.Parameters: learn(base64: answer.secret, nil)
        default: break
        }
    }

    /// Records what the keyring accepted from the provider. What it refuses is not a secret: otherwise the provider
    /// could make one of any word.
    package func learnKept(_ request: FileProviderInterface.Keychain.Reply) {
        if request.kind == "save" {
            learn(request.secret, request.username, isClaimed: true)
        } else {
            learn(base64: request.secret, request.account)
        }
    }

    private func learn(base64 text: String?, _ username: String?) {
        guard let text, let bytes = Data(base64Encoded: text) else { return }
        learn(Array(bytes), username, isClaimed: true)
    }

    private func learn(_ text: String?, _ username: String?, isClaimed: Bool = false) {
        if let text { learn(Array(text.utf8), username, isClaimed: isClaimed) }
    }

    /// Records a secret.
    ///
    /// - Parameter isClaimed: whether only the provider says that it is a secret; it is then recorded only if it is
    ///   likely to be one.
    package func learn(_ bytes: [UInt8], _ username: String?, isClaimed: Bool = false) {
        let known = names.union([username].compactMap(\.self))
        for part in [bytes] + Redactor.parts(of: bytes) where !part.isEmpty {
            let isLikely = LikelySecret.isLikely(part, names: known)
            guard isLikely || !isClaimed else { continue }
            let entry = Entry(secret: Secret(part), username: username, isClaimed: isClaimed, isLikely: isLikely)
            state.withLock { state in
                if let place = state.entries.firstIndex(where: {
                    $0.secret == entry.secret && $0.username == username
                }) {
                    if !isClaimed { state.entries[place].isClaimed = false }
                    return
                }
                if state.entries.count >= Self.maximumSecrets {
                    // A secret that a person gave is not displaced by secrets that the provider stores.
                    state.entries.remove(at: state.entries.firstIndex(where: \.isClaimed) ?? 0)
                }
                state.entries.append(entry)
            }
        }
    }

    /// The patterns to search for in the provider's texts; to be released soon.
    var patterns: [SecretPattern] { patterns { _ in true } }

    /// The patterns to search for in other texts of the log; to be released soon.
    func likelyPatterns(includingClaimed: Bool) -> [SecretPattern] {
        patterns { $0.isLikely && (includingClaimed || !$0.isClaimed) }
    }

    private func patterns(_ isWanted: (Entry) -> Bool) -> [SecretPattern] {
        state.withLock { state in
            state.entries.filter(isWanted).map { entry in
                SecretPattern(entry.secret.withBytes { Array($0) }, username: entry.username)
            }
        }
    }
}
