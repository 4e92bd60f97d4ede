/// A manifest that is not used, and why.
package struct BrokenManifest: Sendable {
    /// The file; bytes of its name that are not UTF-8 are written `\xHH`.
    package let path: String
    /// The extension's identifier, when at least that could be read.
    package let bundleIdentifier: String?
    /// Where it was found.
    package let origin: ManifestSearchPath.Origin
    /// Every problem; at least one is an error, unless it is in `ignored`.
    package let problems: [ManifestProblem]

    /// The containing bundle identifier, when it could be read.
    package var provider: String? { bundleIdentifier.map { ExtensionManifest.containingIdentifier(of: $0) } }
}

/// A manifest that another one of the same provider comes before.
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

/// What a search for manifests found.
package struct DiscoveryResult: Sendable {
    /// The providers that can be used, by identifier.
    package internal(set) var providers: [ProviderDescription] = []
    /// Manifests with errors.
    package internal(set) var broken: [BrokenManifest] = []
    /// Manifests that others come before.
    package internal(set) var shadowed: [ShadowedManifest] = []
    /// Manifests of extension points that are known but not supported.
    package internal(set) var ignored: [BrokenManifest] = []
    /// The files and folders, present or missing, that decided: of manifests, of libraries, and above them.
    package internal(set) var examined: [String] = []

    /// The provider that a location names: by identifier, or by its last component when only one has it.
    package func provider(named name: String) -> ProviderDescription? {
        providers.first { $0.identifier == name } ?? providers.first { $0.locationName == name }
    }
}
