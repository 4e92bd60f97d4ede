import FileProvider

/// Protection of secrets that would be sent without TLS.
extension RemoteAccount {
    /// The setting, and the form field, in which a user agrees that secrets are sent to another machine without TLS.
    static let consentSetting = "unprotected"
    /// The value that means consent.
    static let consent = "yes"

    /// The parameter that leads to another machine by http, or by ftp without TLS; nil if there is none.
    var unprotectedParameter: String? {
        for section in configuration.sections.values {
            if let found = section.keys.sorted().first(where: { Self.hasPlainAddress(section[$0] ?? "") }) {
                return found
            }
            let hasTLS = section["tls"] == "true" || section["explicit_tls"] == "true"
            if section["type"] == "ftp", !hasTLS, !Self.isLoopback(section["host"] ?? "") { return "host" }
        }
        return Self.hasPlainAddress(root) ? "remote" : nil
    }

    /// Refuses to continue without consent. Nothing was sent.
    ///
    /// - Throws: `FileProviderError` with `code`. It contains nothing of the configuration except a parameter's name.
    func requireProtection(_ agreement: String?, _ code: FileProviderError.Code) throws {
        guard agreement != Self.consent, let parameter = unprotectedParameter else { return }
        throw FileProviderError(
            code,
            "\"\(parameter)\" leads to another machine without TLS: anyone along the way could read the secret, which "
                + "was not sent. Give an address with https, or sign in with --set "
                + "\(Self.consentSetting)=\(Self.consent) if you agree.")
    }

    private static func hasPlainAddress(_ text: String) -> Bool {
        text.lowercased().split(separator: "http://", omittingEmptySubsequences: false).dropFirst().contains { rest in
            let authority = rest.prefix { !"/?#\\,'\" ".contains($0) }
            return !isLoopback(authority.split(separator: "@").last.map(String.init) ?? "")
        }
    }

    /// Whether a host, with or without a port, is this machine, whatever DNS says.
    private static func isLoopback(_ authority: String) -> Bool {
        if authority == "::1" || authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
        let host = authority.prefix { $0 != ":" }.lowercased()
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "localhost" || (parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil })
    }
}
