import ExtensionManifest
import ExtensionValidation
import FileProviderValidation
import Foundation
import Testing

@Suite struct RunPlacesTests {
    private static func manifest(_ readWrite: [String]) -> String {
        """
        {
          "CFBundleIdentifier": "org.example.Drive.FileProvider", "CFBundleExecutable": "libDrive.so",
          "NSExtension": {
            "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui", "NSExtensionPrincipalClass": "Drive.Provider"
          },
          "com.apple.security.temporary-exception.files.home-relative-path.read-only": [".config/drive.conf", "Empty"],
          "com.apple.security.temporary-exception.files.home-relative-path.read-write":
            [\(readWrite.map { "\"\($0)\"" }.joined(separator: ", "))]
        }
        """
    }

    private static func with(
        readWrite: [String] = ["Documents"], _ body: (_ root: URL, _ description: ProviderDescription) throws -> Void
    ) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "docent-places-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for folder in ["manifests", "given/.config", "given/Documents/inner"] {
            try FileManager.default.createDirectory(
                at: root.appending(path: folder), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
        }
        try Data(manifest(readWrite).utf8).write(to: root.appending(path: "manifests/Drive.json"))
        try Data([0x7F, 0x45, 0x4C, 0x46]).write(to: root.appending(path: "manifests/libDrive.so"))
        try Data("settings".utf8).write(to: root.appending(path: "given/.config/drive.conf"))
        try Data("letter".utf8).write(to: root.appending(path: "given/Documents/inner/letter"))
        try Data("secret".utf8).write(to: root.appending(path: "given/other"))
        let environment = ManifestEnvironment(variables: ["HOME": root.path + "/home"])
        let found = ManifestDiscovery(reader: ManifestReader(environment: environment)).scan(
            searchPath: .init(directories: [.init(path: root.path + "/manifests", origin: .explicit)]))
        try body(root, try #require(found.providers.first, "\(found.broken)"))
    }

    @Test("only paths that a manifest requests below the home are copied from the directory that stands for it")
    func copies() throws {
        try Self.with { root, description in
            let places = RunPlaces(root.path + "/case", runtimeParent: root.path + "/run")
            let given = root.path + "/given"
            func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
            try places.make(for: description, copying: given)
            #expect(text(places.home + "/.config/drive.conf") == "settings")
            #expect(text(places.home + "/Documents/inner/letter") == "letter")
            #expect(FileManager.default.fileExists(atPath: places.home + "/Empty"))
            #expect(!FileManager.default.fileExists(atPath: places.home + "/other"))
            // A restarted provider finds its own files, and the originals stay unchanged.
            try Data("changed".utf8).write(to: URL(filePath: places.home + "/Documents/inner/letter"))
            try places.make(for: description, copying: given)
            #expect(text(places.home + "/Documents/inner/letter") == "changed")
            #expect(text(given + "/Documents/inner/letter") == "letter")
        }
    }

    @Test("a restart creates nothing through a link that the provider has put into its folder")
    func planted() throws {
        try Self.with(readWrite: ["Documents", "Documents/sub/deep"]) { root, description in
            let places = RunPlaces(root.path + "/case", runtimeParent: root.path + "/run")
            try places.make(for: description)
            let folder = places.home + "/Documents/sub"
            #expect(FileManager.default.fileExists(atPath: folder + "/deep"))
            let outside = root.path + "/outside"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: outside)
            // The runtime directory is made anew, as for each daemon.
            try FileManager.default.removeItem(atPath: places.runtimeParent)
            try places.make(for: description)
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
            #expect(FileManager.default.fileExists(atPath: places.runtimeParent))
        }
    }

    @Test("a setting that names a path below that directory names its copy")
    func settings() {
        let subject = ProviderSubject(
            identifier: "org.example.Drive", displayName: "Drive",
            settings: [
                "key": "/given/home/Keys/id", "all": "/given/home", "other": "/given/homely", "url": "http://x/",
            ],
            home: "/given/home")
        let expected = ["key": "/case/home/Keys/id", "all": "/case/home", "other": "/given/homely", "url": "http://x/"]
        #expect(subject.settings(inHome: "/case/home") == expected)
    }

    @Test("without such a directory, the requested paths below the home exist and are empty")
    func empty() throws {
        try Self.with { root, description in
            let places = RunPlaces(root.path + "/case", runtimeParent: root.path + "/run")
            try places.make(for: description)
            #expect(try FileManager.default.contentsOfDirectory(atPath: places.home + "/Documents").isEmpty)
        }
    }
}
