import ExtensionHosting
import ExtensionManifest

/// The extension that makes a keyring request. It is identified by its process, not by what it states (O6).
struct KeychainCaller: Sendable {
    /// The bundle identifier of the provider.
    let provider: String
    let point: ExtensionPoint
    /// The digest of the provider's description when the process was started.
    let digest: String

    init(_ provider: KnownProvider, _ point: ExtensionPoint) {
        self.provider = provider.identifier
        self.point = point
        digest = provider.description.digest
    }
}
