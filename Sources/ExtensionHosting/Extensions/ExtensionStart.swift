package import ExtensionManifest
package import Rights

/// An extension has started and is initialised.
package struct ExtensionStart: Sendable {
    /// Its provider.
    package let provider: KnownProvider
    /// Its kind.
    package let point: ExtensionPoint
    /// The connection to its process.
    package let connection: ExtensionConnection
    /// The items that were observed when it started: the new process does not know what an earlier one was asked to
    /// watch. Empty for a picker.
    package let observed: [ItemKey]
}
