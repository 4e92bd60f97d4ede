import CLinux

extension PackageStaging {
    /// Keeps staged content that was never committed as a version: a zip archive of only the new elements, each at
    /// its place below the package's name. The staged content stays. Idempotent.
    ///
    /// - Parameter item: names the folder of the item's versions.
    /// - Returns: its place, its size in bytes, and the package's name; nil when there was no new content.
    package func recover(
        _ id: String, item: String, cancellation: Cancellation = Cancellation()
    ) throws -> (place: VersionStore.Place, size: Int64, name: String)? {
        guard let folder = try uncommitted(id) else { return nil }
        let name = String(decoding: try Self.read(Self.packageName, in: folder), as: UTF8.self)
        var elements: [(path: PackagePath, file: FileName)] = []
        for sidecar in try folder.names() {
            let text = sidecar.text
            guard text.hasSuffix(Self.pathSuffix) else { continue }
            let file = try FileName(String(text.dropLast(Self.pathSuffix.count)))
            // The content is missing if the daemon was killed while dropping it.
            guard try folder.status(of: file) != nil else { continue }
            let path = try PackagePath(String(decoding: Self.read(sidecar, in: folder), as: UTF8.self))
            elements.append((path, file))
        }
        guard !elements.isEmpty else { return nil }
        let store = VersionStore(layout: layout)
        let kept = try FileName("\(VersionStore.Reason.recovered.rawValue)-\(id)")
        if try store.versions(of: item).contains(kept) {
            let place = VersionStore.Place(folder: NameEscaping.escape(item), file: kept)
            return (place, try Self.size(store.open(place)), name)
        }
        let staging = try Directory(path: layout.stagingDirectory)
        let archiveName = try FileName(id + ".zip")
        try staging.remove(archiveName)
        do {
            let file = try staging.create(archiveName)
            let archive = try PackageArchive(writingTo: file)
            try archive.addFolder(name)
            for element in elements.sorted(by: { $0.path < $1.path }) {
                let content = try folder.open(element.file)
                try withExtendedLifetime(content) {
                    try archive.addFile(
                        name + "/" + element.path.text, from: content.number, cancellation: cancellation)
                }
            }
            try archive.finish()
            try withExtendedLifetime(file) {
                try checked(clinux_fchmod(file.number, 0o400), "freeze the version")
                try checked(clinux_fsync(file.number), "sync the version")
            }
            let size = try Self.size(file)
            let place = try store.keep(archiveName, in: staging, item: item, reason: .recovered, operation: id)
            return (place, size, name)
        } catch {
            try? staging.remove(archiveName)
            throw error
        }
    }

    private static func size(_ file: OpenDescriptor) throws -> Int64 {
        try withExtendedLifetime(file) { Int64(clamping: try FileStatus(of: file.number).size) }
    }

    // A commit that was interrupted just before the commit point has moved the folder.
    private func uncommitted(_ id: String) throws -> Directory? {
        for path in [layout.stagingDirectory, layout.uploadsDirectory] {
            let directory = try Directory(path: path)
            if try directory.status(of: FileName(id))?.kind == .directory {
                return try directory.directory(FileName(id))
            }
        }
        return nil
    }
}
