/// The manifest of one extension, read and found free of errors.
package struct ExtensionManifest: Sendable {
    /// The manifest file, absolute.
    package let path: String
    /// `CFBundleIdentifier` of the extension.
    package let bundleIdentifier: String
    /// `CFBundleDisplayName`, else `CFBundleName`, else the last component of the identifier; one harmless line.
    package let displayName: String
    /// `CFBundleShortVersionString`, or nil.
    package let version: String?
    /// `CFBundleExecutable` as written: a relative path.
    package let executable: String
    /// The library found for it: absolute, without links. Not loaded, its content unknown but for the ELF magic.
    package let libraryPath: String
    /// What the extension is.
    package let point: ExtensionPoint
    /// `Module.Class`, resolved; nil for a picker that uses the standard browser.
    package let principalClass: String?
    /// The storyboard's name when it counts: `MainInterface`, the standard browser; nil with a principal class (A6).
    package let mainStoryboard: String?
    /// The modes that a picker lists (A4); empty for a file provider.
    package let modes: [PickerMode]
    /// The types that a picker offers (A7); `public.content` unless written otherwise.
    package let supportedTypes: [String]
    /// `NSExtensionFileProviderDocumentGroup` (A8), or nil where there is none.
    package let documentGroup: String?
    /// Whether the system may list the provider's documents.
    package let supportsEnumeration: Bool
    /// Whether whole folders can be picked.
    package let supportsPickingFolders: Bool
    /// Every key of `NSExtension` and its `NSExtensionAttributes`, as written; the former win.
    package let attributes: [String: PropertyListValue]
    /// Types that the provider's author owns.
    package let exportedTypes: [TypeDeclaration]
    /// Types that others own.
    package let importedTypes: [TypeDeclaration]
    /// What it asks for beyond the base profile.
    package internal(set) var entitlements: Entitlements
    /// How much of the machine it may use.
    package internal(set) var limits: ProviderLimits
    /// Warnings and notes.
    package internal(set) var problems: [ManifestProblem]
    /// The whole manifest, with the keys that nobody knows.
    package let contents: [String: PropertyListValue]
    /// SHA-256 of the manifest file's bytes, hexadecimal; with a file of entitlements beside it, of both.
    package let fileDigest: String
    /// The file of entitlements beside it that was read too, or nil.
    package let entitlementsPath: String?
    /// Where the manifest was found.
    package let origin: ManifestSearchPath.Origin
    /// Whether root alone can change manifest and library.
    package let isOwnedByRoot: Bool

    /// The identifier of the provider it belongs to: its own without the last component.
    package var containingIdentifier: String {
        Self.containingIdentifier(of: bundleIdentifier)
    }

    /// An extension's identifier without its last component.
    package static func containingIdentifier(of bundleIdentifier: String) -> String {
        bundleIdentifier.split(separator: ".").dropLast().joined(separator: ".")
    }
}
