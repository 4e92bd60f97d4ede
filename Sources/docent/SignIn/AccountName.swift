import ArgumentParser

/// `PROVIDER[@DOMAIN]` of a command line: one account of a provider. Pure.
struct AccountName: Equatable, CustomStringConvertible {
    /// A bundle identifier, or its last component.
    let provider: String
    /// Empty for the provider's default one.
    let domain: String

    /// As it is written.
    var description: String { domain.isEmpty ? provider : "\(provider)@\(domain)" }

    /// The command that signs it in.
    var login: String { "docent login \(description)" }

    /// Reads it.
    ///
    /// - Throws: `ValidationError`.
    @Sendable
    static func parse(_ text: String) throws -> AccountName {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let domain = parts.count > 1 ? parts[1] : ""
        let isWhole = !parts[0].isEmpty && (parts.count == 1 || !domain.isEmpty)
        guard isWhole, !text.contains(where: { ":/".contains($0) }), !domain.contains("@") else {
            throw ValidationError(
                "\"\(text)\" is no account. Write PROVIDER or PROVIDER@DOMAIN, as in webdav@work.")
        }
        return AccountName(provider: parts[0], domain: domain)
    }
}
