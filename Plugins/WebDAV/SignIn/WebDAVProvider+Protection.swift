import FileProvider
import HTTPTransport

/// Protection of secrets that would be sent without https.
extension WebDAVProvider {
    /// The setting, and the form field, in which a user agrees that a secret is sent to another machine without https.
    static let consentSetting = "unprotected"
    /// The value that means consent.
    static let consent = "yes"

    /// The error without consent. Nothing was sent.
    static func unprotected(_ address: ServerAddress, _ code: FileProviderError.Code) -> FileProviderError {
        FileProviderError(
            code,
            "\(address.origin) is not protected by https: anyone along the way could read the secret, which was not "
                + "sent. "
                + "Give an address with https, or sign in with --set \(consentSetting)=\(consent) if you agree to that."
        )
    }

    /// Sends an anonymous request before a secret is sent without a challenge.
    ///
    /// - Throws: `FileProviderError` if the server redirects to a place that is not allowed.
    func refuseRedirect() async throws {
        server.authenticate(with: .none)
        var request = HTTPRequest("PROPFIND", server.address.url(of: .root))
        request.headers = [("Depth", "0"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(RequestBody.properties)
        request.followsRedirects = false
        let reply = try await server.client.perform(request)
        guard reply.isRedirect, let target = reply.redirect,
            !Redirect.isAllowed(from: request.url, to: target, isAnonymous: false)
        else { return }
        throw HTTPFailure.error(redirect: reply)
    }
}
