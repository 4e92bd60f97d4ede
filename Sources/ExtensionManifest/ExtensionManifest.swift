/// The manifest of one extension, read and free of errors.
package struct ExtensionManifest: Sendable {
    /// The absolute path of the manifest file.
    package let path: String
    /// `CFBundleIdentifier` of the extension.
    package let bundleIdentifier: String
    /// `CFBundleDisplayName`, else `CFBundleName`, else the last component of the identifier; one line, safe to show.
    package let displayName: String
    /// `CFBundleShortVersionString`, or nil.
    package let version: String?
    /// `CFBundleExecutable` as written: a relative path.
    package let executable: String
    /// The path of its library: absolute, without links. The library is not loaded; only its ELF magic has been
    /// checked.
    package let libraryPath: String
    /// The kind of extension.
    package let point: ExtensionPoint
    /// `Module.Class`, resolved; nil for a picker that uses the standard browser.
    package let principalClass: String?
    /// The storyboard's name if it is used: `MainInterface`, the standard browser; nil with a principal class.
    package let mainStoryboard: String?
    /// The modes of a picker; empty for a file provider.
    package let modes: [PickerMode]
    /// The types that a picker offers; `public.content` by default.
    package let supportedTypes: [String]
    /// `NSExtensionFileProviderDocumentGroup`, or nil if there is none.
    package let documentGroup: String?
    /// Whether the system may list the provider's documents.
    package let supportsEnumeration: Bool
    /// Whether whole folders can be picked.
    package let supportsPickingFolders: Bool
    /// Every key of `NSExtension` and its `NSExtensionAttributes`, as written; the former take precedence.
    package let attributes: [String: PropertyListValue]
    /// Types that the provider's author owns.
    package let exportedTypes: [TypeDeclaration]
    /// Types that others own.
    package let importedTypes: [TypeDeclaration]
    /// What it asks for beyond the base profile of the sandbox.
    package internal(set) var entitlements: Entitlements
    /// The resources that it may use.
    package internal(set) var limits: ProviderLimits
    /// Warnings and notes.
    package internal(set) var problems: [ManifestProblem]
    /// The whole manifest, including unknown keys.
    package let contents: [String: PropertyListValue]
    /// SHA-256 of the manifest file's bytes in hexadecimal; with an entitlements file beside it, of both.
    package let fileDigest: String
    /// The entitlements file beside it that was read too, or nil.
    package let entitlementsPath: String?
    /// Where the manifest was found.
    package let origin: ManifestSearchPath.Origin
    /// Whether only root can change the manifest and the library.
    package let isOwnedByRoot: Bool

    /// The identifier of its provider: its own without the last component.
    package var containingIdentifier: String {
        Self.containingIdentifier(of: bundleIdentifier)
    }

    /// An extension's identifier without its last component.
    package static func containingIdentifier(of bundleIdentifier: String) -> String {
        bundleIdentifier.split(separator: ".").dropLast().joined(separator: ".")
    }
}
