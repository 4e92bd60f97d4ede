import ArgumentParser
import SignInConversation

extension AccountName {
    /// Parses an argument.
    ///
    /// - Throws: `ValidationError`.
    @Sendable
    static func parse(_ text: String) throws -> AccountName {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let domain = parts.count > 1 ? parts[1] : ""
        let isWhole = !parts[0].isEmpty && (parts.count == 1 || !domain.isEmpty)
        guard isWhole, !text.contains(where: { ":/".contains($0) }), !domain.contains("@") else {
            throw ValidationError(
                "\"\(text)\" is not an account. Write PROVIDER or PROVIDER@DOMAIN, like webdav@work.")
        }
        return AccountName(provider: parts[0], domain: domain)
    }
}
