import DocentInterfaces
import FoundationEssentials
import Keyring
import RemoteDocuments
import Rights

/// Converts the credential of a domain between the wire, which may carry a secret, and the database, which never does.
/// Pure.
enum DomainCredential {
    /// Splits a credential into its stored reference and the secret, which is kept only in memory.
    ///
    /// - Throws: ``Failure`` `InvalidArgument`, without the secret in its text.
    static func reference(
        _ credential: Wire.Credential?
    ) throws(Failure) -> (reference: CredentialReference?, secret: Secret?) {
        guard let credential else { return (nil, nil) }
        guard let kind = CredentialReference.Kind(rawValue: credential.kind), kind != .oauth else {
            throw Failure(.invalidArgument, "A credential is a password or a token.")
        }
        guard let source = CredentialReference.Source(rawValue: credential.source) else {
            throw Failure(.invalidArgument, "A credential comes from a file, from systemd or from the session.")
        }
        if let username = credential.username {
            guard !username.isEmpty, username.utf8.count <= 1024, !username.utf8.contains(where: { $0 < 0x20 }) else {
                throw Failure(.invalidArgument, "The user name is empty, too long or not text.")
            }
        }
        guard kind != .password || credential.username != nil else {
            throw Failure(.invalidArgument, "A password needs a user name.", suggestion: "Give --username.")
        }
        var reference = CredentialReference(kind: kind, source: source, username: credential.username)
        switch source {
        case .keyring:
            throw Failure(
                .invalidArgument, "A login asks for what goes into the keyring.", suggestion: "Sign in: docent login")
        case .file:
            guard let path = credential.path, path.hasPrefix("/"), path.utf8.count <= 4095, !path.utf8.contains(0)
            else {
                throw Failure(
                    .invalidArgument, "The password file needs an absolute path.", suggestion: "Give --password-file.")
            }
            reference.path = path
        case .systemd:
            guard let name = credential.name, !name.isEmpty, !name.contains("/"), name.utf8.count <= 255, name != ".",
                name != "..", !name.utf8.contains(0)
            else { throw Failure(.invalidArgument, "The systemd credential needs a name without slashes.") }
            reference.name = name
        case .session:
            guard let secret = credential.secret, !secret.isEmpty, secret.utf8.count <= CredentialSource.limit,
                !secret.utf8.contains(0)
            else { throw Failure(.invalidArgument, "The password is empty or not text.") }
            return (reference, Secret(secret))
        }
        guard credential.secret == nil else {
            throw Failure(
                .invalidArgument, "A secret can only be given for the session.", suggestion: "Give --session.")
        }
        return (reference, nil)
    }
}

extension CredentialReference {
    /// The description that is shown to people.
    var shown: String {
        let place =
            switch source {
            case .file: "file \(path ?? "")"
            case .systemd: "systemd \(name ?? "")"
            case .session: "session"
            case .keyring: "keyring (\(rung ?? "nowhere"))"
            }
        return switch kind {
        case .password: place
        case .token: "token, \(place)"
        case .oauth: "browser, \(place)"
        }
    }
}
