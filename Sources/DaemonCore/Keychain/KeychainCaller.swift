import ExtensionHosting
import ExtensionManifest

/// The extension that asks for something of the keyring: known by its process, whatever it says of itself (O6).
struct KeychainCaller: Sendable {
    /// Bundle identifier of the provider.
    let provider: String
    /// Which of its extensions.
    let point: ExtensionPoint
    /// Of the provider's description when the process was started.
    let digest: String

    init(_ provider: KnownProvider, _ point: ExtensionPoint) {
        self.provider = provider.identifier
        self.point = point
        digest = provider.description.digest
    }
}
