/// The table behind docs/providers/manifest.md; a test compares the two.
extension ManifestKey {
    /// Where the key is read, what it contains, which extensions must have it, and the rule.
    package var entry: Entry {
        switch self {
        case .bundleIdentifier:
            Entry(
                .topLevel, .string, .everybody,
                "reverse DNS of at least three parts (letters, digits, `-`, `_`), 255 bytes at most. Without its "
                    + "last part it is the provider's identifier, which joins picker and file provider")
        case .displayName:
            Entry(
                .topLevel, .string, .nobody,
                "one line, 255 bytes at most, no control characters or direction marks; default: `CFBundleName`, "
                    + "then the last part of the identifier")
        case .name:
            Entry(
                .topLevel, .string, .nobody,
                "the same, if `CFBundleDisplayName` is absent")
        case .version:
            Entry(
                .topLevel, .string, .nobody,
                "64 bytes at most")
        case .executable:
            Entry(
                .topLevel, .string, .everybody,
                "the library, an ELF file: a relative path without `..`, and no link may lead out of its directory. "
                    + "Docent searches beside the manifest, then the library directory of the manifest directory, then "
                    + "`DOCENT_LIBRARY_PATH`; in the last two, the provider's own directory comes first "
                    + "([below](#where-manifests-are-looked-for))")
        case .exportedTypes:
            Entry(
                .topLevel, .dictionaries, .nobody,
                "types that the author defines; see below")
        case .importedTypes:
            Entry(
                .topLevel, .dictionaries, .nobody,
                "types that others define and the extension uses; see below")
        case .documentScope:
            Entry(
                .topLevel, .boolean, .nobody,
                "without effect at the top level, and a warning: it belongs in `NSUbiquitousContainers`")
        case .extension:
            Entry(
                .topLevel, .dictionary, .everybody,
                "the kind of extension, in the keys of the next section")
        case .extensionPoint:
            Entry(
                .extension, .string, .everybody,
                "`com.apple.fileprovider-ui` (picker) or `com.apple.fileprovider-nonui` (file provider); "
                    + "`com.apple.fileprovider-actionsui` is ignored with a note")
        case .principalClass:
            Entry(
                .extension, .string, .fileProviders,
                "`Module.Class`, `$(PRODUCT_MODULE_NAME).Class`, or `Class`: then the module is the library's name, "
                    + "`libDrive.so` → `Drive`")
        case .mainStoryboard:
            Entry(
                .extension, .string, .nobody,
                "picker: `MainInterface`, the standard browser, instead of a principal class. A picker needs one of "
                    + "the two; with both, the class counts")
        case .documentGroup:
            Entry(
                .extension, .string, .nobody,
                "must be listed in the application groups; should begin with `group.`. A picker alone joins the one "
                    + "file provider with the same group")
        case .supportsEnumeration:
            Entry(
                .extension, .boolean, .nobody,
                "default false; without effect: a provider's items are always listed. Also accepted in "
                    + "`NSExtensionAttributes`")
        case .supportsPickingFolders:
            Entry(
                .extension, .boolean, .nobody,
                "default false; without effect. Also accepted in `NSExtensionAttributes`")
        case .downloadPipelineDepth:
            Entry(
                .extension, .integer, .nobody,
                "1 to 128; without effect, and a warning when out of range")
        case .uploadPipelineDepth:
            Entry(
                .extension, .integer, .nobody,
                "1 to 128; without effect, and a warning when out of range")
        case .attributes:
            Entry(
                .extension, .dictionary, .nobody,
                "contains the keys of the next section")
        case .pickerModes:
            Entry(
                .attributes, .strings, .pickers,
                "`UIDocumentPickerModeImport`, `UIDocumentPickerModeOpen`, `UIDocumentPickerModeExportToService`, "
                    + "`UIDocumentPickerModeMoveToService`; open and move only beside a file provider")
        case .pickerTypes:
            Entry(
                .attributes, .strings, .nobody,
                "uniform type identifiers; default `public.content`")
        case .applicationGroups:
            Entry(
                .entitlements, .strings, .nobody,
                "letters, digits, dots, `-`, `_`")
        case .keychainAccessGroups:
            Entry(
                .entitlements, .strings, .nobody,
                "as above, at most 16, not `org.docent.docentd`, no wildcards. See below")
        case .networkClient:
            Entry(
                .entitlements, .boolean, .nobody,
                "default false")
        case .homeReadWrite:
            Entry(
                .entitlements, .strings, .nobody,
                "folders below the home; `/Documents/` and `Documents` mean the same: the user's folder for documents")
        case .homeReadOnly:
            Entry(
                .entitlements, .strings, .nobody,
                "the same, for reading")
        case .absoluteReadWrite:
            Entry(
                .entitlements, .strings, .nobody,
                "absolute paths of folders")
        case .absoluteReadOnly:
            Entry(
                .entitlements, .strings, .nobody,
                "the same, for reading")
        case .spawn:
            Entry(
                .entitlements, .strings, .nobody,
                "absolute paths of programs that may be started; not in a folder that a provider can write, nor among the "
                    + "user's keys or Docent's own files")
        case .loopbackListener:
            Entry(
                .entitlements, .boolean, .nobody,
                "default false; one socket that listens on 127.0.0.1. Other programs on this machine can connect to "
                    + "it, so require a secret from them")
        case .limitMemory:
            Entry(
                .entitlements, .size, .nobody,
                "32 MiB to 16 GiB; default 1 GiB. See below for what is counted")
        case .limitProcesses:
            Entry(
                .entitlements, .integer, .nobody,
                "8 to 4096; default 256. Processes and threads together")
        case .limitDisk:
            Entry(
                .entitlements, .size, .nobody,
                "1 MiB to 1024 GiB; default 2 GiB. The contents of the container")
        case .limitFiles:
            Entry(
                .entitlements, .integer, .nobody,
                "16 to 10000000; default 100000. Files and folders in the container")
        case .limitProcessorWeight:
            Entry(
                .entitlements, .integer, .nobody,
                "1 to 100; default 50. The share of a busy processor; a program of the user has 100")
        case .typeIdentifier:
            Entry(
                .typeDeclaration, .string, .everybody,
                "the type; declaring a type that Docent already knows has no effect, and is noted")
        case .typeConformsTo:
            Entry(
                .typeDeclaration, .strings, .nobody,
                "the types that it conforms to")
        case .typeTags:
            Entry(
                .typeDeclaration, .dictionary, .nobody,
                "for each tag class (`public.filename-extension`, `public.mime-type`) a string or an array of "
                    + "strings")
        case .typeDescription:
            Entry(
                .typeDeclaration, .string, .nobody,
                "its display name")
        }
    }
}
