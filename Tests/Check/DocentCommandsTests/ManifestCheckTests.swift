import DocentTestSupport
import Foundation
import Testing

@testable import DocentCommands

/// What `docent provider validate` says of manifests before it loads any code.
@Suite struct ManifestCheckTests {
    private let folder = TemporaryFolder()

    private func write(_ name: String, _ content: Data) throws {
        try content.write(to: folder.url(name))
        // Others must not be able to change it, whatever the mask of this process is.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.url(name).path)
    }

    private func write(_ name: String, identifier: String, point: String) throws {
        let manifest: [String: Any] = [
            "CFBundleIdentifier": identifier, "CFBundleExecutable": "libDrive.so",
            "NSExtension": [
                "NSExtensionPointIdentifier": point, "NSExtensionPrincipalClass": "Drive.Provider",
                "NSExtensionFileProviderDocumentGroup": "group.org.example.Drive",
            ],
            "com.apple.security.application-groups": ["group.org.example.Drive"],
        ]
        try write(name, try JSONSerialization.data(withJSONObject: manifest))
    }

    @Test("an actions extension beside a provider is ignored, and the directory can be validated; alone it cannot")
    func actions() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try write("libDrive.so", Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]))
        try write(
            "actions.json", identifier: "org.example.Drive.Actions", point: "com.apple.fileprovider-actionsui")
        let alone = try ManifestCheck([folder.path])
        #expect(!alone.isUsable && alone.text.contains("actions.json: is ignored"), "\(alone.text)")
        try write(
            "provider.json", identifier: "org.example.Drive.FileProvider", point: "com.apple.fileprovider-nonui")
        let both = try ManifestCheck([folder.path])
        #expect(both.isUsable, "\(both.text)")
        #expect(both.text.contains("actions.json: is ignored\n  note: "), "\(both.text)")
        #expect(both.text.contains("provider.json: can be used"), "\(both.text)")
        try write("broken.json", Data("{\"CFBundleIdentifier\": ".utf8))
        #expect(try !ManifestCheck([folder.path]).isUsable)
    }
}
