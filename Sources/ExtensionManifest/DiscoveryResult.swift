/// A manifest that is not used, and the reasons.
package struct BrokenManifest: Sendable {
    /// The file; bytes of its name that are not UTF-8 are written `\xHH`.
    package let path: String
    /// The extension's identifier, if at least that could be read.
    package let bundleIdentifier: String?
    /// Where it was found.
    package let origin: ManifestSearchPath.Origin
    /// All problems; at least one is an error, unless the manifest is in `ignored`.
    package let problems: [ManifestProblem]

    /// The containing bundle identifier, when it could be read.
    package var provider: String? { bundleIdentifier.map { ExtensionManifest.containingIdentifier(of: $0) } }
}

/// A manifest that is overridden by another one of the same provider.
package struct ShadowedManifest: Sendable {
    /// The file.
    package let path: String
    /// The extension's identifier.
    package let bundleIdentifier: String
    /// Where it was found.
    package let origin: ManifestSearchPath.Origin
    /// The manifest that is used instead.
    package let shadowedBy: String
}

/// The result of a search for manifests.
package struct DiscoveryResult: Sendable {
    /// The providers that can be used, by identifier.
    package internal(set) var providers: [ProviderDescription] = []
    /// Manifests with errors.
    package internal(set) var broken: [BrokenManifest] = []
    /// Manifests that are overridden by others.
    package internal(set) var shadowed: [ShadowedManifest] = []
    /// Manifests of extension points that are known but not supported.
    package internal(set) var ignored: [BrokenManifest] = []
    /// The files and folders, present or missing, that determined the result: manifests, libraries, and their parent
    /// folders.
    package internal(set) var examined: [String] = []
}
