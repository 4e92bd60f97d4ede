/// A provider: at most one file provider extension and at most one picker, joined.
package struct ProviderDescription: Sendable {
    /// The containing bundle identifier, for example `org.docent.LocalFolder`.
    package let identifier: String
    /// The name to show; the picker's if there is one.
    package let displayName: String
    /// The document group of the file provider, or nil.
    package internal(set) var documentGroup: String?
    /// The file provider extension; nil: the provider offers only import and export.
    package internal(set) var fileProvider: ExtensionManifest?
    /// The picker, or nil.
    package internal(set) var picker: ExtensionManifest?
    /// The modes of the picker; empty without a picker.
    package let modes: [PickerMode]
    /// The types that the picker offers; `public.content` without a picker.
    package let supportedTypes: [String]
    /// Whether the administrator installed it: it is in a system directory, and only root can change its manifests and
    /// libraries. Such a provider is enabled from the start.
    package let isSystem: Bool
    /// SHA-256 over the manifests and entitlements of both extensions, in hexadecimal; consent is bound to it.
    package let digest: String
    /// The provider's name in a location: the last component of its identifier, or all of it if another provider has
    /// the same last component.
    package internal(set) var locationName: String

    /// The existing extensions, the file provider first.
    package var extensions: [ExtensionManifest] {
        [fileProvider, picker].compactMap(\.self)
    }

    /// The limits of its container: the higher of its two extensions' limits.
    package var limits: ProviderLimits {
        let all = extensions.map(\.limits)
        return all.dropFirst().reduce(all.first ?? ProviderLimits()) { $0.union($1) }
    }

    /// Warnings and notes by manifest path.
    package var problems: [(path: String, problem: ManifestProblem)] {
        extensions.flatMap { manifest in manifest.problems.map { (manifest.path, $0) } }
    }

    init(identifier: String, fileProvider: ExtensionManifest?, picker: ExtensionManifest?) {
        let extensions = [fileProvider, picker].compactMap(\.self)
        self.identifier = identifier
        self.fileProvider = fileProvider
        self.picker = picker
        displayName = picker?.displayName ?? fileProvider?.displayName ?? identifier
        documentGroup = fileProvider?.documentGroup
        modes = picker?.modes ?? []
        supportedTypes = picker?.supportedTypes ?? ["public.content"]
        isSystem = !extensions.isEmpty && extensions.allSatisfy { $0.origin == .system && $0.isOwnedByRoot }
        digest = Self.digest(of: extensions)
        locationName = identifier
    }

    /// Each part is hashed with its length, so that two different lists of parts never give the same bytes.
    private static func digest(of extensions: [ExtensionManifest]) -> String {
        var hash = PortableDigest()
        func add(_ text: String, to hash: inout PortableDigest) {
            hash.update("\(text.utf8.count):".utf8)
            hash.update(text.utf8)
        }
        add("docent provider 1", to: &hash)
        for manifest in extensions {
            add(manifest.point.rawValue, to: &hash)
            add(manifest.bundleIdentifier, to: &hash)
            add(manifest.fileDigest, to: &hash)
            for line in manifest.entitlements.lines + manifest.limits.lines { add(line, to: &hash) }
        }
        return hash.hexDigest()
    }
}
