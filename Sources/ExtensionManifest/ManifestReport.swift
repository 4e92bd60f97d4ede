/// All that reading one manifest file gave.
package struct ManifestReport: Sendable {
    /// The file.
    package let path: String
    /// The extension's identifier, when at least that could be read.
    package let bundleIdentifier: String?
    /// The manifest, or nil when a problem is an error or the extension point is not supported.
    package let manifest: ExtensionManifest?
    /// Every problem, errors first, in the order of the checks.
    package let problems: [ManifestProblem]
}
