import FileProvider
import HTTPTransport

/// The ways to sign in to a WebDAV server.
enum WebDAVForms {
    private static let url = SignInField(
        "url", label: "Address", kind: .url,
        help:
            "The address of the folder, for example https://cloud.example.org/remote.php/dav/files/anna/ on a "
            + "Nextcloud.")

    /// Asks for consent to send a secret over the network without https. Shown only when that would happen.
    private static let unprotected = SignInField(
        WebDAVProvider.consentSetting, label: "Without https",
        kind: .choice([
            SignInChoice("no", label: "Sign in only if the server itself redirects to https"),
            SignInChoice(WebDAVProvider.consent, label: "Send the secret unprotected"),
        ]), value: "no",
        help:
            "The address is not protected by https: anyone along the way can read the secret, and read and change all "
            + "documents.",
        isOptional: true)

    static let password = SignInForm(
        identifier: "password", title: "User name and password",
        help:
            "A Nextcloud with two-factor sign-in needs an app password: Settings → Security → Create new app password.",
        fields: [
            url, SignInField("username", label: "User name"),
            SignInField("password", label: "Password or app password", kind: .secret), unprotected,
        ])

    static let token = SignInForm(
        identifier: "token", title: "Token",
        help: "A bearer token that the service has issued to you. It is not renewed.",
        fields: [url, SignInField("token", label: "Token", kind: .secret), unprotected])

    static let browser = SignInForm(
        identifier: "browser", title: "In a browser",
        help: "You sign in at the service's own page, and Docent gets tokens from it (OAuth 2.0).",
        fields: [
            url,
            SignInField(
                "issuer", label: "Identity server", kind: .url,
                help: "Its address (issuer). If empty: the one that the WebDAV server names.", isOptional: true),
            SignInField(
                "client", label: "Client identifier",
                help:
                    "The identifier of Docent at the identity server: an app registered there as public, with "
                    + "redirects to http://127.0.0.1."
            ),
            SignInField(
                "scope", label: "Scope", help: "What to ask for. If empty: the identity server's default.",
                isOptional: true),
            SignInField(
                "clientSecret", label: "Client secret", kind: .secret, help: "If the identity server issued one.",
                isOptional: true),
        ], browser: [.loopback, .device])

    static let all = [password, token, browser]
}
