import ExtensionManifest
import Foundation

/// The manifest reader: property lists of three kinds, and their contents as an extension's manifest.
struct ManifestTarget: FuzzTarget {
    let name = "manifests"
    let words = [
        "bplist00", "<plist", "<dict>", "</dict>", "<key>", "<array>", "<string>", "<integer>", "<real>", "<data>",
        "<date>", "<true/>",
        "<!DOCTYPE", "<![CDATA[", "&amp;", "&#x0;", "&x;", "<?xml", "CFBundleIdentifier", "NSExtension",
        "NSExtensionAttributes",
        "NSExtensionPointIdentifier", "com.apple.fileprovider-nonui", "com.apple.fileprovider-ui", "CFBundleExecutable",
        "UIDocumentPickerModes", "../", "$(PRODUCT_MODULE_NAME)", "${", "\u{202E}", "UTExportedTypeDeclarations",
        "group.",
        "com.apple.security.temporary-exception.files.absolute-path.read-write",
    ]

    private let folder: String
    private let reader: ManifestReader

    /// - Parameter folder: a folder of its own for the files that it reads.
    init(folder: String) {
        self.folder = folder
        reader = ManifestReader(
            environment: ManifestEnvironment(variables: ["HOME": folder, "DOCENT_LIBRARY_PATH": folder]))
    }

    func run(_ bytes: [UInt8]) throws {
        if let value = try? PropertyListReader.read(bytes) {
            guard bytes.count <= PropertyListReader.maximumSize else { throw FuzzFinding("It is too long to be read.") }
            guard depth(value) <= PropertyListReader.maximumDepth + 1 else {
                throw FuzzFinding("It is too deep to be read.")
            }
        }
        let path = folder + "/fuzz.plist"
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
        let report = reader.read(path)
        guard report.manifest != nil || report.problems.contains(where: { $0.severity == .error }) else {
            throw FuzzFinding("It has no manifest and no error.")
        }
        if let manifest = report.manifest {
            for text in [manifest.displayName, manifest.bundleIdentifier] {
                guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
                    throw FuzzFinding("Control characters come through in \(text.debugDescription).")
                }
            }
        }
    }

    private func depth(_ value: PropertyListValue) -> Int {
        switch value {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .dictionary(let values): 1 + (values.values.map(depth).max() ?? 0)
        default: 1
        }
    }
}
