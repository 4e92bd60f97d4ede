import DocentInterfaces
import FileProvider
import Foundation
import LocalFolder
import Testing

extension LocalFolderFixture {
    /// Creates a package on the disk.
    func makePackage(_ name: String, _ elements: [String: String]) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
        for (element, text) in elements {
            let folder = (path + "/" + name + "/" + element as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try write(text, to: name + "/" + element)
        }
    }

    /// The files of a package on the disk, by path.
    func readPackage(_ name: String) throws -> [String: String] {
        var found: [String: String] = [:]
        for element in try FileManager.default.subpathsOfDirectory(atPath: path + "/" + name) {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path + "/" + name + "/" + element, isDirectory: &isFolder)
            if !isFolder.boolValue { found[element] = try read(name + "/" + element) }
        }
        return found
    }

    /// The elements of a package as the host sees them.
    func elements(_ package: ItemIdentifier, _ prefix: String = "") async throws -> [(
        path: String, item: FileProviderItem
    )] {
        var found: [(String, FileProviderItem)] = []
        for item in try await list(package) {
            found.append((prefix + item.filename, item))
            if item.isFolder { found += try await elements(item.identifier, prefix + item.filename + "/") }
        }
        return found
    }

    func version(_ package: ItemIdentifier) async throws -> ItemVersion {
        let elements = try await elements(package)
        return ItemVersion(
            content: PackageVersion.text(
                elements.map { .init(path: $0.path, isFolder: $0.item.isFolder, version: $0.item.version?.content) }))
    }

    /// Replaces a package as the host does: `changes` are staged (nil: removed), the rest stays.
    func save(
        _ package: FileProviderItem, _ changes: [String: String?], operation: String = UUID().uuidString,
        base: ItemVersion? = nil, meanwhile: () throws -> Void = {}
    ) async throws -> ModifiedItem {
        let (version, parts) = try await plan(package, changes)
        let replacement = try await provider.beginPackage(
            .existing(package.identifier, baseVersion: base ?? version), elements: parts,
            operation: ChangeOperation(identifier: operation, digest: "digest of \(changes.keys.sorted())"))
        for path in replacement.neededPaths {
            let text = try #require(changes[path] ?? nil)
            try await replacement.stage(path, contents: contents(text))
        }
        try meanwhile()
        return try await replacement.commit()
    }

    func plan(
        _ package: FileProviderItem, _ changes: [String: String?]
    ) async throws -> (ItemVersion, [PackageElement]) {
        let before = try await elements(package.identifier)
        var parts = before.filter { changes[$0.path] == nil }.map {
            PackageElement(path: $0.path, isFolder: $0.item.isFolder, version: $0.item.version)
        }
        for (path, text) in changes where text != nil {
            parts.append(PackageElement(path: path, isFolder: false, size: text?.utf8.count, digest: "d"))
        }
        return (try await version(package.identifier), parts)
    }
}
