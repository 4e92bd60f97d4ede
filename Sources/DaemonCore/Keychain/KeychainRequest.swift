import DocentInterfaces
import FoundationEssentials
import Keyring
import Rights

/// A keyring request of an extension, validated. Pure.
enum KeychainRequest: Sendable {
    /// Identifies a secret in a group.
    struct Place: Hashable, Sendable {
        var domain: String
        var account: String
    }

    case store(Place, Secret, label: String?)
    case lookUp(Place)
    case delete(Place)
    case list
    /// A refreshed credential of a domain.
    case save(domain: String, kind: CredentialReference.Kind, username: String?, Secret)

    /// The maximum size of a secret in bytes (T4).
    static let maximumSecret = 64 << 10
    private static let maximumName = 255

    /// - Throws: ``Failure`` `InvalidArgument`, without the secret in its text; `NotSupported` for an unknown kind
    ///   (T5).
    init(_ message: FileProviderInterface.Keychain.Reply) throws(Failure) {
        switch message.kind {
        case "store":
            let place = try Self.place(message)
            guard let text = message.secret, let data = Data(base64Encoded: text) else {
                throw Failure(.invalidArgument, "The secret is not base64.")
            }
            self = .store(place, try Self.secret(Array(data)), label: try Self.text(message.label, "label"))
        case "lookUp": self = .lookUp(try Self.place(message))
        case "delete": self = .delete(try Self.place(message))
        case "list": self = .list
        case "save":
            guard let kind = message.credentialKind.flatMap(CredentialReference.Kind.init), let secret = message.secret,
                !secret.isEmpty
            else {
                throw Failure(.invalidArgument, "A saved credential needs a kind and a secret.")
            }
            guard !secret.utf8.contains(0) else { throw Failure(.invalidArgument, "The secret is not text.") }
            self = .save(
                domain: try Self.text(message.domain, "domain") ?? "", kind: kind,
                username: try Self.text(message.username, "user name"), try Self.secret(Array(secret.utf8)))
        default: throw Failure(.notSupported, "This host does not know the keychain request \"\(message.kind)\".")
        }
    }

    private static func place(_ message: FileProviderInterface.Keychain.Reply) throws(Failure) -> Place {
        guard let account = try text(message.account, "account"), !account.isEmpty else {
            throw Failure(.invalidArgument, "A secret needs an account, which is its name.")
        }
        return Place(domain: try text(message.domain, "domain") ?? "", account: account)
    }

    private static func secret(_ bytes: [UInt8]) throws(Failure) -> Secret {
        guard bytes.count <= maximumSecret else {
            throw Failure(
                .invalidArgument, "A secret can have at most \(maximumSecret) bytes; this one has \(bytes.count).")
        }
        return Secret(bytes)
    }

    // Keyring programs show this text to people.
    private static func text(_ text: String?, _ what: String) throws(Failure) -> String? {
        guard let text else { return nil }
        guard text.utf8.count <= maximumName, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw Failure(
                .invalidArgument, "The \(what) has more than \(maximumName) bytes or contains control characters.")
        }
        return text
    }
}
