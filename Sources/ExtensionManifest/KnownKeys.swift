/// The keys that a manifest may contain without a note: those that Docent reads, and those of real manifests that it
/// keeps and ignores.
enum KnownKeys {
    /// Kept and ignored at the top level.
    static let ignoredTopLevel = [
        "CFBundleVersion", "CFBundlePackageType", "CFBundleDevelopmentRegion", "CFBundleInfoDictionaryVersion",
        "CFBundleDocumentTypes", "NSUbiquitousContainers", "LSSupportsOpeningDocumentsInPlace",
        "UISupportsDocumentBrowser", "UIFileSharingEnabled", "NSFileProviderDomainUsageDescription",
    ]

    /// Kept and ignored in `NSExtension` and `NSExtensionAttributes`.
    static let ignoredInExtension = [
        "NSExtensionActivationRule", "NSExtensionFileProviderActions",
        "NSExtensionFileProviderAllowsUserControlledEviction", "NSExtensionFileProviderWantsFlattenedPackages",
        "NSExtensionFileProviderAppliesChangesAtomically",
        "NSExtensionFileProviderAdditionalSyncableExtendedAttributes", "NSFileProviderDecorations",
        "NSFileProviderUserInteractions",
    ]

    /// Written by Xcode into every manifest, and hardly ever by hand.
    static let writtenByXcode = [
        "CFBundleInfoDictionaryVersion", "CFBundlePackageType", "MinimumOSVersion", "UIDeviceFamily", "DTPlatformName",
    ]

    static let topLevel = read(in: [.topLevel, .entitlements]) + ignoredTopLevel
    static let inExtension = read(in: [.extension, .attributes]) + ignoredInExtension

    private static func read(in places: Set<ManifestKey.Place>) -> [String] {
        ManifestKey.allCases.filter { places.contains($0.entry.place) }.map(\.rawValue)
    }
}
