import DocentInterfaces
import ExtensionManifest

/// Which group of the keyring an extension may use: one that its own manifest names (O6). Pure.
enum KeychainRight {
    /// What the daemon keeps for itself; no manifest can name it.
    static let reserved = "org.docent.docentd"

    /// - Parameters:
    ///   - asked: what the extension says; nil for the first of its groups.
    ///   - groups: those of the manifest of the extension that asks.
    /// - Throws: ``Failure`` `NotPermitted`, in the same words whether others have that group or nobody has.
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
                "“\(asked.prefix(255))” is none of the keychain-access-groups of the extension's manifest.",
                provider: provider)
        }
        return asked
    }
}
