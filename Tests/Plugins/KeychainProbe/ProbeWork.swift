import FileProvider
import Foundation
import Synchronization

/// The action selected by a name, and its result.
///
/// | Name | What happens |
/// |---|---|
/// | `store~group~domain~account~terces` | stores a secret; an empty group is the first |
/// | `lookUp~group~domain~account` | the secret, reversed |
/// | `delete~group~domain~account` | whether there was one |
/// | `list~group` | `domain/account`, sorted |
/// | `fill~group~count` | stores that number of secrets, as far as possible |
/// | `save~terces` | saves it as the credential of the default domain's instance |
/// | `say~how` | reveals the secret of its sign-in: see ``Telling`` |
/// | `known` | the secret of its sign-in, reversed |
/// | `reach~how~where` | see ``Reaching`` |
/// | `swap~kind~where` | swaps everything in its container until the process ends: see ``SwapWork`` |
///
/// An exclamation mark in `where` stands for a slash.
final class ProbeWork: Sendable {
    private let keychain: Keychain
    private let host: FileProviderHost?
    private let storage: String?
    private let credential = Mutex<Credential?>(nil)
    private let refused = Mutex<String?>(nil)

    /// - Parameter storage: the document storage of its domain, for `swap`.
    init(keychain: Keychain, host: FileProviderHost?, storage: String? = nil) {
        self.keychain = keychain
        self.host = host
        self.storage = storage
    }

    /// The error with which listing fails from now on; nil for none.
    var refusal: String? { refused.withLock { $0 } }

    func signedIn(_ credential: Credential) { self.credential.withLock { $0 = credential } }

    /// Performs the action selected by a name.
    func perform(_ name: String) async -> String {
        let words = name.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
        func word(_ index: Int) -> String { index < words.count ? words[index] : "" }
        let group = word(1).isEmpty ? nil : word(1)
        do {
            switch words.first {
            case "store":
                try await keychain.store(
                    Self.backwards(word(4)), account: word(3), group: group, domain: word(2), label: "Probe")
                return "[stored]"
            case "lookUp":
                let secret = try await keychain.secret(account: word(3), group: group, domain: word(2))
                return secret.map { "[\(String(decoding: $0.reversed(), as: UTF8.self))]" } ?? "[none]"
            case "delete":
                return "[\(try await keychain.delete(account: word(3), group: group, domain: word(2)))]"
            case "list":
                let items = try await keychain.items(group: group)
                return "[\(items.map { "\($0.domain)/\($0.account)" }.sorted().joined(separator: " "))]"
            case "fill": return try await fill(group, Int(word(2)) ?? 0)
            case "save":
                let secret = String(decoding: Self.backwards(word(1)), as: UTF8.self)
                try await host?.save(Credential(kind: .token, secret: secret))
                return "[saved]"
            case "say": return say(word(1))
            case "known":
                let secret = credential.withLock { $0?.secret } ?? ""
                return "[\(String(secret.reversed()))]"
            case "reach": return Reaching.attempt(word(1), Self.path(word(2)))
            case "swap":
                guard let storage else { return "[unknown]" }
                return SwapWork.begin(word(1), canaries: Self.path(word(2)), storage: storage)
            default: return "[unknown]"
            }
        } catch {
            return "[failed \((error as? FileProviderError)?.code.rawValue ?? 0)] \(error)"
        }
    }

    private func fill(_ group: String?, _ count: Int) async throws -> String {
        for number in 0..<count {
            do {
                try await keychain.store(
                    Self.backwards("1llif-hsuh"), account: "fill-\(number)", group: group, domain: "")
            } catch {
                return "[filled \(number)] \(error)"
            }
        }
        return "[filled \(count)]"
    }

    private func say(_ how: String) -> String {
        guard let credential = credential.withLock({ $0 }), let secret = credential.secret else { return "[unknown]" }
        let text = Telling.text(secret, credential.username ?? "")
        switch how {
        case "log": host?.log(text)
        case "forge": host?.log(Telling.forged)
        case "crash":
            FileHandle.standardError.write(Data("\(text)\n".utf8))
            abort()
        case "refuse":
            refused.withLock { $0 = text }
            return "[refuses]"
        default: break
        }
        return "[said] \(text)"
    }

    private static func path(_ word: String) -> String { word.replacingOccurrences(of: "!", with: "/") }

    private static func backwards(_ text: String) -> [UInt8] { text.utf8.reversed() }
}
