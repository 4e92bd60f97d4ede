import DocentTestSupport
import Foundation
import Testing

/// A package's directory after a build: LocalFolder's library, and its manifests under another name.
struct ProviderPackage {
    let installation: Installation
    var identifier = "org.example.Shelf"
    var folder = "package"

    var path: String { installation.root + "/" + folder }
    /// Where the command installs files.
    var data: String { installation.data }
    var manifests: [String] {
        ["FileProvider", "Picker"].map { data + "/manifests/\(identifier).\($0).plist" }
    }
    var library: String { data + "/providers/\(identifier)/libLocalFolder.so" }

    /// Writes the package with group access, as a desktop's usual umask does.
    func write(displayName: String = "Shelf", libraryName: String = "libLocalFolder.so") throws {
        let files = FileManager.default
        for directory in ["manifests", "build"] {
            try files.createDirectory(
                atPath: "\(path)/\(directory)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o775])
        }
        for point in ["FileProvider", "Picker"] {
            let source = Repository.root + "/manifests/org.docent.LocalFolder.\(point).plist"
            let text = try #require(installation.read(source))
                .replacingOccurrences(of: "org.docent.LocalFolder", with: identifier)
                .replacingOccurrences(of: "Local Folder", with: displayName)
                .replacingOccurrences(of: "libLocalFolder.so", with: libraryName)
            let file = "\(path)/manifests/\(point).plist"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            try files.setAttributes([.posixPermissions: 0o664], ofItemAtPath: file)
        }
        let target = "\(path)/build/\(libraryName)"
        if !files.fileExists(atPath: target) {
            try files.copyItem(atPath: Installation.binaries + "/libLocalFolder.so", toPath: target)
            try files.setAttributes([.posixPermissions: 0o775], ofItemAtPath: target)
        }
    }

    /// An installation that finds providers only in the user's own directories.
    static func with<Result>(_ body: (ProviderPackage) async throws -> Result) async throws -> Result {
        try await Installation.with(
            environment: ["DOCENT_MANIFEST_PATH": "", "DOCENT_LIBRARY_PATH": ""], localFolder: false
        ) {
            try await body(ProviderPackage(installation: $0))
        }
    }

    /// All files in the directories of manifests and libraries, and the records; directories of libraries only if they
    /// are empty.
    func installed() -> [String] {
        let files = FileManager.default
        let flat = ["manifests", "installed"].flatMap { directory in
            ((try? files.contentsOfDirectory(atPath: "\(data)/\(directory)")) ?? [])
                .filter { $0 != "lock" }.map { "\(directory)/\($0)" }
        }
        let libraries = ((try? files.subpathsOfDirectory(atPath: data + "/providers")) ?? []).map { "providers/" + $0 }
        return (flat + libraries.filter { path in !libraries.contains { $0.hasPrefix(path + "/") } }).sorted()
    }
}
