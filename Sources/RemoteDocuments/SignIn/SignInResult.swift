package import DocentInterfaces
package import Keyring
package import Rights

/// What a service took: what the domain signs in with from now on.
package struct SignInResult: Sendable {
    /// What the secret is.
    package var kind: CredentialReference.Kind
    /// The account, where there is one.
    package var username: String?
    /// The secret.
    package var secret: Secret
    /// All settings that the provider has of the domain.
    package var settings: [String: String]

    /// Reads an extension's answer.
    ///
    /// - Throws: ``Failure`` `ProviderFailed` for one that cannot be kept.
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
                .providerFailed, "\(provider) signed in, and did not say how to do so again.",
                suggestion: "Tell its authors.", provider: provider)
        }
        self.init(kind: kind, username: reply.username, secret: Secret(secret), settings: reply.settings ?? answered)
    }

    /// A result of these parts.
    package init(kind: CredentialReference.Kind, username: String?, secret: Secret, settings: [String: String]) {
        self.kind = kind
        self.username = username
        self.secret = secret
        self.settings = settings
    }
}
