import ArgumentParser
import DocentInterfaces
import Documents
import ExtensionManifest
import SignInConversation

/// The account of a domain: where it is, who signs in, and how.
struct AccountOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The name that people see.", valueName: "name"))
    var displayName: String?

    @Option(name: .long, help: ArgumentHelp("The address of the service.", valueName: "url"))
    var url: String?

    @Option(name: .long, help: ArgumentHelp("The user name.", valueName: "name"))
    var username: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the password, which nobody else may read (0600); read again when it is needed.",
            valueName: "file"), completion: .file())
    var passwordFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A file with a bearer token, in the same way.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The systemd credential of the daemon that contains the password.", valueName: "name"))
    var credential: String?

    @Flag(name: .long, help: "Ask for the password; it is kept only in the daemon's memory, and gone with the daemon.")
    var session = false

    @Flag(name: .long, help: "With --session: read the password from the first line of standard input.")
    var passwordStdin = false

    @Option(
        name: .long,
        help: ArgumentHelp("The certificates, in PEM, that sign the server's certificate.", valueName: "file"),
        completion: .file())
    var certificateAuthority: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A setting of the provider or the host, such as quotaBytes; may be repeated.", valueName: "key=value"),
        transform: SettingText.parse)
    var set: [SettingText] = []

    func validate() throws {
        let ways = [passwordFile != nil, tokenFile != nil, credential != nil, session].count { $0 }
        guard ways <= 1 else {
            throw ValidationError("Choose one of --password-file, --token-file, --credential and --session.")
        }
        guard !passwordStdin || session else { throw ValidationError("--password-stdin needs --session.") }
        if let url, !url.contains("://") {
            throw ValidationError("\"\(url)\" is not an address; write it like https://example.org/dav/.")
        }
    }

    /// Whether the command line says how to sign in.
    var hasCredential: Bool { passwordFile != nil || tokenFile != nil || credential != nil || session }

    /// The settings that were given; nil if there are none.
    ///
    /// - Throws: ``DocumentsError`` if the certificate file cannot be used.
    func settings() throws(DocumentsError) -> [String: String]? {
        var settings: [String: String] = [:]
        if let url { settings["url"] = url }
        if let username { settings["username"] = username }
        if let certificateAuthority {
            settings["certificateAuthorityData"] = try CertificateFile.text(certificateAuthority)
        }
        for setting in set { settings[setting.key] = setting.value }
        return settings.isEmpty ? nil : settings
    }

    /// How to sign in; nil if the command line does not say. Asks on the terminal if the command line says so.
    ///
    /// - Throws: ``DocumentsError`` if a secret file cannot be used, or if there is no terminal to ask on.
    func wireCredential() throws -> Wire.Credential? {
        if let passwordFile {
            return Wire.Credential(
                kind: "password", source: "file", username: username,
                path: try SecretFile.check(Self.path(passwordFile)))
        }
        if let tokenFile {
            return Wire.Credential(
                kind: "token", source: "file", username: username, path: try SecretFile.check(Self.path(tokenFile)))
        }
        if let credential {
            return Wire.Credential(kind: "password", source: "systemd", username: username, name: credential)
        }
        guard session else { return nil }
        let secret = try SecretPrompt.read(passwordStdin: passwordStdin)
        return Wire.Credential(kind: "password", source: "session", username: username, secret: secret)
    }

    private static func path(_ path: String) -> String {
        DomainsAddCommand.absolute(path, from: ManifestEnvironment.workingDirectory())
    }
}

/// `KEY=VALUE` on a command line.
struct SettingText: Equatable {
    let key: String
    let value: String

    /// Parses `KEY=VALUE`; the value may be empty and may contain `=`.
    @Sendable
    static func parse(_ text: String) throws -> SettingText {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
            throw ValidationError("\"\(text)\" is not a setting; write KEY=VALUE.")
        }
        return SettingText(key: String(text[..<sign]), value: String(text[text.index(after: sign)...]))
    }
}
