/// A key of a manifest that Docent reads.
///
/// All readers take their keys from here, and a test compares docs/providers/manifest.md with this table, so that code
/// and documentation agree. Keys that are known but have no effect are in `KnownKeys`.
package enum ManifestKey: String, CaseIterable, Sendable {
    case bundleIdentifier = "CFBundleIdentifier"
    case displayName = "CFBundleDisplayName"
    case name = "CFBundleName"
    case version = "CFBundleShortVersionString"
    case executable = "CFBundleExecutable"
    case exportedTypes = "UTExportedTypeDeclarations"
    case importedTypes = "UTImportedTypeDeclarations"
    case documentScope = "NSUbiquitousContainerIsDocumentScopePublic"
    case `extension` = "NSExtension"

    case extensionPoint = "NSExtensionPointIdentifier"
    case principalClass = "NSExtensionPrincipalClass"
    case mainStoryboard = "NSExtensionMainStoryboard"
    case documentGroup = "NSExtensionFileProviderDocumentGroup"
    case supportsEnumeration = "NSExtensionFileProviderSupportsEnumeration"
    case supportsPickingFolders = "NSExtensionFileProviderSupportsPickingFolders"
    case downloadPipelineDepth = "NSExtensionFileProviderDownloadPipelineDepth"
    case uploadPipelineDepth = "NSExtensionFileProviderUploadPipelineDepth"
    case attributes = "NSExtensionAttributes"

    case pickerModes = "UIDocumentPickerModes"
    case pickerTypes = "UIDocumentPickerSupportedFileTypes"

    case applicationGroups = "com.apple.security.application-groups"
    case keychainAccessGroups = "keychain-access-groups"
    case networkClient = "com.apple.security.network.client"
    case homeReadWrite = "com.apple.security.temporary-exception.files.home-relative-path.read-write"
    case homeReadOnly = "com.apple.security.temporary-exception.files.home-relative-path.read-only"
    case absoluteReadWrite = "com.apple.security.temporary-exception.files.absolute-path.read-write"
    case absoluteReadOnly = "com.apple.security.temporary-exception.files.absolute-path.read-only"
    case spawn = "org.docent.spawn"
    case loopbackListener = "org.docent.loopback-listener"
    case limitMemory = "org.docent.limits.memory"
    case limitProcesses = "org.docent.limits.processes"
    case limitDisk = "org.docent.limits.disk"
    case limitFiles = "org.docent.limits.files"
    case limitProcessorWeight = "org.docent.limits.processor-weight"

    case typeIdentifier = "UTTypeIdentifier"
    case typeConformsTo = "UTTypeConformsTo"
    case typeTags = "UTTypeTagSpecification"
    case typeDescription = "UTTypeDescription"

    /// The dictionary in which a key is read.
    package enum Place: CaseIterable, Sendable {
        /// The manifest itself.
        case topLevel
        /// The manifest itself, for entitlements.
        case entitlements
        /// `NSExtension`.
        case `extension`
        /// `NSExtensionAttributes`, or `NSExtension` itself, as in real manifests.
        case attributes
        /// One declaration in `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`.
        case typeDeclaration
    }

    /// What the value must be; the raw value completes "must be".
    package enum Value: String, CaseIterable, Sendable {
        case string = "a string"
        case boolean = "a boolean"
        case integer = "a whole number"
        case dictionary = "a dictionary"
        /// One string stands for an array of one, as in real manifests.
        case strings = "an array of strings"
        case dictionaries = "an array of dictionaries"
        /// A text with a unit, or bytes as a whole number.
        case size = "a size such as \"512 MiB\""
    }

    /// Which extensions must have the key.
    package enum Need: Sendable {
        case nobody
        case everybody
        case fileProviders
        case pickers
    }

    /// The table's entry for a key.
    package struct Entry: Sendable {
        /// Where it is read.
        package let place: Place
        /// What it contains.
        package let value: Value
        /// Which extensions must have it. A type declaration without a required key is left out.
        package let need: Need
        /// The requirements on the value and its effect, in the Markdown of docs/providers/manifest.md.
        package let rule: String

        init(_ place: Place, _ value: Value, _ need: Need, _ rule: String) {
            self.place = place
            self.value = value
            self.need = need
            self.rule = rule
        }
    }
}
