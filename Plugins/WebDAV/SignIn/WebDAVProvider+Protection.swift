import FileProvider
import HTTPTransport

/// Secrets without https.
extension WebDAVProvider {
    /// The setting, and the field of the forms, by which a person agrees that a secret is sent to another machine
    /// without https.
    static let consentSetting = "unprotected"
    /// Its value where they do.
    static let consent = "yes"

    /// The error where nobody agreed. Nothing was sent.
    static func unprotected(_ address: ServerAddress, _ code: FileProviderError.Code) -> FileProviderError {
        FileProviderError(
            code,
            "\(address.origin) is not protected by https: whoever is on the way could read the secret, which was not sent. "
                + "Give an address with https, or sign in with --set \(consentSetting)=\(consent) if you agree to that."
        )
    }

    /// Asks the server as nobody, before a secret is sent that it has not asked for.
    ///
    /// - Throws: `FileProviderError` if it leads to another place.
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
