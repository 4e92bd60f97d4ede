package import DocentInterfaces
package import ExtensionHosting
package import HostCore
package import Rights
package import Storage
package import UniformTypes

/// The elements of packages, as a source lists them: nested, paged, and limited in number.
package struct PackageElements: Sendable {
    private let source: any ItemSource
    private let types: TypeCatalogue

    package init(source: any ItemSource, types: TypeCatalogue) {
        self.source = source
        self.types = types
    }

    /// Whether an item is a folder that is one document (A12).
    package func isPackage(_ item: Wire.Item) -> Bool { Self.isPackage(item, types.registry) }

    /// The same with a given registry. Pure.
    package static func isPackage(_ item: Wire.Item, _ types: UniformTypeRegistry) -> Bool {
        item.isFolder && isPackage(type: item.contentType, types)
    }

    /// Whether a folder with a name, and a type if known, is one document.
    package func isPackage(named name: String, type: String?) -> Bool {
        Self.isPackage(
            type: type ?? types.registry.type(fileName: name, isDirectory: true).identifier, types.registry)
    }

    /// Whether folders of a type are documents. Pure.
    static func isPackage(type: String, _ types: UniformTypeRegistry) -> Bool {
        UniformType(type).map { types.conforms($0, to: .package) } ?? false
    }

    /// All elements of a package by path, folders before their contents.
    ///
    /// - Throws: ``Failure`` `NotSupported` for more elements, deeper folders, or other names than a package may have;
    ///   the provider's failure.
    package func all(of package: ItemKey) async throws -> [PackageManifest.Base] {
        try await survey(package).elements
    }

    /// All elements of a package, and the number of conflicting versions kept beside the current ones (HAZARDS 5).
    ///
    /// - Throws: as ``all(of:)``.
    func survey(_ package: ItemKey) async throws -> (elements: [PackageManifest.Base], conflicts: Int) {
        var found: [PackageManifest.Base] = []
        var conflicts = 0
        var folders: [(key: ItemKey, prefix: String)] = [(package, "")]
        while let (folder, prefix) = folders.popLast() {
            var pages = PageSequence(provider: folder.provider, folder: folder.identifier)
            var page: String?
            repeat {
                try Task.checkCancellation()
                let (items, next) = try await source.children(of: folder, page: page)
                // A package consists of files and folders; a link is neither followed nor copied.
                for item in items where item.symbolicLinkTarget == nil {
                    let path = try Self.path(prefix + item.name)
                    found.append(
                        PackageManifest.Base(
                            path: path, isFolder: item.isFolder, size: item.isFolder ? nil : item.size.map(Int64.init),
                            version: item.isFolder ? nil : item.formerVersion ?? item.version,
                            identifier: item.reference.identifier))
                    conflicts += item.conflicts ?? 0
                    guard found.count <= PackagePath.maximumCount else { throw Self.tooMany }
                    if item.isFolder { folders.append((item.reference.key, path.text + "/")) }
                }
                page = try pages.next(next, items: items.count)
            } while page != nil
        }
        return (found.sorted { $0.path < $1.path }, conflicts)
    }

    private static func path(_ text: String) throws -> PackagePath {
        do {
            return try PackagePath(text)
        } catch {
            throw Failure(
                .notSupported, "\"\(text)\" is not a valid path for an element of a package.",
                suggestion:
                    "A package is at most \(PackagePath.maximumDepth) folders deep; its names have at most 255 bytes.")
        }
    }

    static var tooMany: Failure {
        Failure(
            .notSupported, "The package has more than \(PackagePath.maximumCount) elements.",
            suggestion: "Keep its content in an ordinary folder.")
    }

    /// The version of a remote package right after our own save: it describes what was saved, whatever happened since.
    /// Pure.
    ///
    /// - Parameter operation: the journal's identifier of the save.
    package static func version(_ manifest: PackageManifest, savedBy operation: String) -> String {
        PackageVersion.text(
            manifest.elements.map { element in
                let saved = element.content.map { LocalVersion("\(operation)-\($0.file)").text }
                return .init(
                    path: element.path.text, isFolder: element.isFolder,
                    version: element.isFolder ? nil : saved ?? element.unchanged?.version)
            })
    }

    /// The version of a package with these elements.
    package static func version(_ elements: [PackageManifest.Base]) -> String {
        PackageVersion.text(elements.map { .init(path: $0.path.text, isFolder: $0.isFolder, version: $0.version) })
    }
}
