import ExtensionHosting
import ExtensionManifest
import Foundation
import Glibc

/// The providers of a test, installed as by an administrator, so that no consent is needed: their manifests and a
/// library that is never loaded.
enum TestInstallation {
    /// An inspector that reports root as the owner of all files in a folder, because only root can create such files.
    static func inspector(_ root: String) -> FileInspector {
        FileInspector(user: geteuid()) { path in
            guard var facts = FileInspector.systemFacts(path) else { return nil }
            facts.owner = 0
            facts.permissions &= ~0o022
            return facts
        }
    }

    /// Installs a provider.
    static func install(_ kind: TestProviderKind, in root: String) throws {
        let library = "lib\(kind.name).so"
        try write(
            Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]),
            to: root + "/usr/lib/docent/providers/\(kind.identifier)/\(library)")
        var picker: [String: Any] = [
            "NSExtensionPointIdentifier": "com.apple.fileprovider-ui",
            "NSExtensionAttributes": [
                "UIDocumentPickerModes": kind.modes.map { "UIDocumentPickerMode" + $0 },
                "UIDocumentPickerSupportedFileTypes": ["public.item"],
            ],
        ]
        if let name = kind.pickerClass {
            picker["NSExtensionPrincipalClass"] = "HostTesting." + name
        } else {
            picker["NSExtensionMainStoryboard"] = "MainInterface"
        }
        let manifests = [
            manifest(
                kind, library, "FileProvider",
                [
                    "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui",
                    "NSExtensionPrincipalClass": "HostTesting.\(kind.providerClass)",
                    "NSExtensionFileProviderDocumentGroup": "group." + kind.identifier,
                    "NSExtensionFileProviderSupportsEnumeration": true,
                ]), manifest(kind, library, "Picker", picker),
        ]
        for manifest in manifests {
            try write(
                try JSONSerialization.data(withJSONObject: manifest.content),
                to: root + "/usr/share/docent/manifests/\(manifest.name).json")
        }
    }

    private static func manifest(
        _ kind: TestProviderKind, _ library: String, _ part: String, _ point: [String: Any]
    ) -> (name: String, content: [String: Any]) {
        let name = kind.identifier + "." + part
        return (
            name,
            [
                "CFBundleIdentifier": name, "CFBundleDisplayName": kind.name, "CFBundleExecutable": library,
                "CFBundleShortVersionString": "1.0",
                "com.apple.security.application-groups": ["group." + kind.identifier], "NSExtension": point,
            ]
        )
    }

    private static func write(_ data: Data, to path: String) throws {
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }
}
