/// A provider: at most one file provider extension and at most one picker, joined (A1).
package struct ProviderDescription: Sendable {
    /// The containing bundle identifier, for example `org.docent.LocalFolder`.
    package let identifier: String
    /// The name to show; the picker's where there is one.
    package let displayName: String
    /// The document group of the file provider, or nil.
    package internal(set) var documentGroup: String?
    /// The extension without user interface, or nil: then there is only import and export (A1).
    package internal(set) var fileProvider: ExtensionManifest?
    /// The picker, or nil.
    package internal(set) var picker: ExtensionManifest?
    /// The modes that the picker lists; none without a picker.
    package let modes: [DocumentPickerMode]
    /// The types that the picker offers; `public.content` without a picker.
    package let supportedTypes: [String]
    /// Whether the administrator installed it: a system directory, and root alone can change manifests and libraries.
    /// Such a provider starts enabled (A14).
    package let isSystem: Bool
    /// SHA-256 over the manifests and entitlements of both extensions, hexadecimal; consent pins it (S3).
    package let digest: String
    /// How the provider is named in a location: the last component of its identifier, or the whole of it where
    /// another provider has the same last component.
    package internal(set) var locationName: String

    /// The extensions there are, the file provider first.
    package var extensions: [ExtensionManifest] {
        [fileProvider, picker].compactMap(\.self)
    }

    /// How much its container may hold: the higher of its two extensions' limits.
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

    /// Each part goes in with its length, so that no two different sets of parts give the same bytes.
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
