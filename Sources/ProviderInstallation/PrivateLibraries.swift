import ExtensionManifest

/// The private libraries of a provider, which lie beside its library and are installed with it.
enum PrivateLibraries {
    /// The most libraries that are followed.
    private static let limit = 64

    /// The libraries that a library needs, directly or indirectly, and finds in its own directory by `$ORIGIN`, with
    /// the paths of their content. System libraries are ignored.
    static func needed(by library: String) -> [(name: String, path: String)] {
        let folder = FileWork.parent(library)
        var found: [(name: String, path: String)] = []
        var queue = [library]
        while let next = queue.popLast(), found.count < limit {
            let file = SharedLibrary(path: next)
            guard file.searchPath.contains(where: isOrigin) else { continue }
            for name in file.needed where !name.contains("/") && !found.contains(where: { $0.name == name }) {
                guard let path = FileWork.canonical(folder + "/" + name), path != library, FileWork.isFile(path),
                    SharedLibrary(path: path).kind == .library
                else { continue }
                found.append((name, path))
                queue.append(path)
            }
        }
        return found
    }

    private static func isOrigin(_ directory: String) -> Bool {
        ["$ORIGIN", "${ORIGIN}", "$ORIGIN/", "${ORIGIN}/", "$ORIGIN/.", "${ORIGIN}/."].contains(directory)
    }
}
