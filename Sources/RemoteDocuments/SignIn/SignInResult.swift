package import DocentInterfaces
package import Keyring
package import Rights

/// The result of a successful sign-in: what the domain signs in with from now on.
package struct SignInResult: Sendable {
    /// The kind of secret.
    package var kind: CredentialReference.Kind
    /// The account name, if there is one.
    package var username: String?
    /// The secret.
    package var secret: Secret
    /// All settings of the domain for the provider.
    package var settings: [String: String]

    /// Reads an extension's answer.
    ///
    /// - Throws: ``Failure`` `ProviderFailed` for an answer that cannot be stored.
    package init(
        _ reply: FileProviderInterface.Authenticate.Reply, settings answered: [String: String], provider: String
    )
        throws(Failure)
    {
        guard let kind = reply.kind.flatMap(CredentialReference.Kind.init), let secret = reply.secret, !secret.isEmpty,
            secret.utf8.count <= CredentialSource.limit, !secret.utf8.contains(0),
            kind != .password || reply.username?.isEmpty == false, reply.username?.utf8.count ?? 0 <= 1024,
            reply.username?.utf8.contains(where: { $0 < 0x20 }) != true
        else {
            throw Failure(
                .providerFailed, "\(provider) signed in but returned no usable credential for the next time.",
                suggestion: "Report this to its authors.", provider: provider)
        }
        self.init(kind: kind, username: reply.username, secret: Secret(secret), settings: reply.settings ?? answered)
    }

    /// Creates a result.
    package init(kind: CredentialReference.Kind, username: String?, secret: Secret, settings: [String: String]) {
        self.kind = kind
        self.username = username
        self.secret = secret
        self.settings = settings
    }
}
