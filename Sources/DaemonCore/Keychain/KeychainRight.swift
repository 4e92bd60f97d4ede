import DocentInterfaces
import ExtensionManifest

/// Decides which keyring group an extension may use: only those named in its own manifest (O6). Pure.
enum KeychainRight {
    /// The daemon's own group. A manifest cannot name it.
    static let reserved = "org.docent.docentd"

    /// - Parameters:
    ///   - asked: the group that the extension asks for; nil for the first of its groups.
    ///   - groups: the groups in the manifest of the requesting extension.
    /// - Throws: ``Failure`` `NotPermitted`, with the same text whether or not the group exists elsewhere.
    static func group(_ asked: String?, of groups: [String], provider: String) throws(Failure) -> String {
        let usable = groups.filter { $0 != reserved && !$0.contains("/") && !$0.isEmpty }
        guard let asked else {
            guard let first = usable.first else {
                throw Failure(
                    .notPermitted, "The extension's manifest has no keychain-access-groups.", provider: provider)
            }
            return first
        }
        guard usable.contains(asked) else {
            throw Failure(
                .notPermitted,
                "\"\(asked.prefix(255))\" is not one of the keychain-access-groups of the extension's manifest.",
                provider: provider)
        }
        return asked
    }
}
