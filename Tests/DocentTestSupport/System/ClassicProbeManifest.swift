import Foundation

/// The manifests of `Tests/Plugins/ClassicProbe`, and the paths of its files in an installation.
package enum ClassicProbeManifest {
    package static let bundle = "org.docent.ClassicProbe"
    package static let group = "group.org.docent.ClassicProbe"
    /// The file provider's manifest.
    package static let text = manifest(
        "FileProvider",
        """
                <key>NSExtensionPointIdentifier</key>
                <string>com.apple.fileprovider-nonui</string>
                <key>NSExtensionPrincipalClass</key>
                <string>ClassicProbe.ClassicProbe</string>
                <key>NSExtensionFileProviderDocumentGroup</key>
                <string>\(group)</string>
                <key>NSExtensionFileProviderSupportsEnumeration</key>
                <true/>
        """)

    /// The manifest of the system's own picker for it; without a picker, a provider cannot open anything.
    package static let pickerText = manifest(
        "Picker",
        """
                <key>NSExtensionPointIdentifier</key>
                <string>com.apple.fileprovider-ui</string>
                <key>NSExtensionMainStoryboard</key>
                <string>MainInterface</string>
                <key>NSExtensionAttributes</key>
                <dict>
                    <key>UIDocumentPickerModes</key>
                    <array>
                        <string>UIDocumentPickerModeImport</string>
                        <string>UIDocumentPickerModeOpen</string>
                        <string>UIDocumentPickerModeExportToService</string>
                        <string>UIDocumentPickerModeMoveToService</string>
                    </array>
                    <key>UIDocumentPickerSupportedFileTypes</key>
                    <array>
                        <string>public.item</string>
                    </array>
                </dict>
        """)

    private static func manifest(_ part: String, _ extensionKeys: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key>
            <string>\(bundle).\(part)</string>
            <key>CFBundleDisplayName</key>
            <string>Classic Probe</string>
            <key>CFBundleShortVersionString</key>
            <string>1.0</string>
            <key>CFBundleExecutable</key>
            <string>libClassicProbe.so</string>
            <key>NSExtension</key>
            <dict>
        \(extensionKeys)
            </dict>
            <key>com.apple.security.application-groups</key>
            <array>
                <string>\(group)</string>
            </array>
        </dict>
        </plist>

        """
    }

    /// Installs the manifests and enables the provider.
    package static func install(in installation: Installation) async throws {
        for (part, text) in [("FileProvider", text), ("Picker", pickerText)] {
            let url = URL(fileURLWithPath: "\(installation.manifests)/\(bundle).\(part).plist")
            try Data(text.utf8).write(to: url)
        }
        try await installation.docent("provider", "enable", bundle, "--yes").succeeded()
    }

    /// The container of the probe's group.
    package static func container(in installation: Installation) -> String { "\(installation.data)/Groups/\(group)" }

    /// Creates a remote document.
    package static func write(_ content: String, to name: String, in installation: Installation) throws {
        let url = URL(fileURLWithPath: "\(container(in: installation))/Remote/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: url)
    }

    /// The content of a remote document; nil if there is none.
    package static func read(_ name: String, in installation: Installation) -> String? {
        installation.read("\(container(in: installation))/Remote/\(name)")
    }

    /// The callbacks so far for a document, without its name.
    package static func callbacks(about name: String, in installation: Installation) -> [String] {
        (installation.read(container(in: installation) + "/callbacks.log") ?? "").split(separator: "\n")
            .filter { $0.hasSuffix(" " + name) }.map { String($0.dropLast(name.utf8.count + 1)) }
    }
}
