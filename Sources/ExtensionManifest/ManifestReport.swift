/// The result of reading one manifest file.
package struct ManifestReport: Sendable {
    /// The file.
    package let path: String
    /// The extension's identifier, if at least that could be read.
    package let bundleIdentifier: String?
    /// The manifest, or nil when a problem is an error or the extension point is not supported.
    package let manifest: ExtensionManifest?
    /// All problems, errors first, in the order of the checks.
    package let problems: [ManifestProblem]
}
