package import Foundation

/// A folder for one test, removed with the value.
package final class TemporaryFolder {
    /// Without links.
    package let path: String

    package init() {
        let url = FileManager.default.temporaryDirectory.appending(path: "docent-test-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A name in the folder.
    package func url(_ name: String) -> URL { URL(filePath: path + "/" + name) }

    /// Creates files that contain their own names.
    package func make(_ names: String...) throws {
        for name in names {
            try FileManager.default.createDirectory(
                at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(name.utf8).write(to: url(name))
        }
    }

    /// The names in a folder, sorted.
    package func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }
}
