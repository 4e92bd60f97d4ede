/// Keys that Docent reads, and those seen in real manifests that it keeps and ignores (SEMANTICS 3.8).
enum KnownKeys {
    static let topLevel =
        [
            "CFBundleIdentifier", "CFBundleDisplayName", "CFBundleName", "CFBundleShortVersionString",
            "CFBundleVersion",
            "CFBundleExecutable", "CFBundlePackageType", "CFBundleDevelopmentRegion", "CFBundleInfoDictionaryVersion",
            "CFBundleDocumentTypes", "UTExportedTypeDeclarations", "UTImportedTypeDeclarations", "NSExtension",
            "NSUbiquitousContainers", "NSUbiquitousContainerIsDocumentScopePublic", "LSSupportsOpeningDocumentsInPlace",
            "UISupportsDocumentBrowser", "UIFileSharingEnabled", "NSFileProviderDomainUsageDescription",
        ] + EntitlementsParser.knownKeys

    static let inExtension = [
        "NSExtensionPointIdentifier", "NSExtensionPrincipalClass", "NSExtensionMainStoryboard", "NSExtensionAttributes",
        "NSExtensionActivationRule", "NSExtensionFileProviderDocumentGroup",
        "NSExtensionFileProviderSupportsEnumeration", "NSExtensionFileProviderSupportsPickingFolders",
        "NSExtensionFileProviderActions", "NSExtensionFileProviderAllowsUserControlledEviction",
        "NSExtensionFileProviderWantsFlattenedPackages", "NSExtensionFileProviderDownloadPipelineDepth",
        "NSExtensionFileProviderUploadPipelineDepth", "NSExtensionFileProviderAppliesChangesAtomically",
        "NSExtensionFileProviderAdditionalSyncableExtendedAttributes", "NSFileProviderDecorations",
        "NSFileProviderUserInteractions", "UIDocumentPickerModes", "UIDocumentPickerSupportedFileTypes",
    ]
}
