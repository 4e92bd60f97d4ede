import CLinux

/// The metadata that clients want stored beside the content of running changes: one file for each operation, with
/// the picture next to it. It survives a restart of the daemon and stays until the change has ended.
///
/// Blocking; call it on a `BlockingWorker`. Every function may be repeated.
package struct MetadataStore: Sendable {
    private let path: OwnPath

    /// Uses the data directory of a layout.
    package init(layout: StorageLayout) { path = layout.metadataDirectory }

    /// Stores the metadata of an operation, replacing what was stored before. Durable when it returns.
    ///
    /// - Parameters:
    ///   - bytes: the metadata, in the caller's own format.
    ///   - picture: a thumbnail.
    package func put(_ id: String, _ bytes: [UInt8], picture: [UInt8]?) throws {
        let directory = try Directory.make(path: path)
        if let picture {
            try Self.write(picture, as: Self.picture(id), in: directory)
        } else {
            try directory.remove(Self.picture(id))
        }
        try Self.write(bytes, as: FileName(id), in: directory)
        try directory.sync()
    }

    /// The metadata of an operation; nil when there is none.
    package func bytes(_ id: String) throws -> [UInt8]? {
        guard let directory = try directory(), try directory.status(of: FileName(id)) != nil else { return nil }
        return try PackageStaging.read(FileName(id), in: directory)
    }

    /// The picture of an operation, open for reading.
    ///
    /// - Throws: `.notFound` when there is none.
    package func openPicture(_ id: String) throws -> OpenDescriptor {
        try Directory(path: path).open(try Self.picture(id))
    }

    /// Removes the metadata of an operation.
    package func remove(_ id: String) throws {
        guard let directory = try directory() else { return }
        try directory.remove(FileName(id))
        try directory.remove(Self.picture(id))
    }

    /// Removes the metadata of all unknown operations.
    package func removeOrphans(known: Set<String>) throws {
        guard let directory = try directory() else { return }
        for name in try directory.names() {
            let id = name.text.hasSuffix(".png") ? String(name.text.dropLast(4)) : name.text
            if !known.contains(id) { try directory.remove(name) }
        }
    }

    // Nil when missing: it is created when first needed.
    private func directory() throws -> Directory? {
        do {
            return try Directory(path: path)
        } catch let error as FileSystemError {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    private static func picture(_ id: String) throws -> FileName { try FileName(id + ".png") }

    private static func write(_ bytes: [UInt8], as name: FileName, in directory: Directory) throws {
        let temporary = try FileName(".new-" + name.text)
        try directory.remove(temporary)
        let file = try directory.create(temporary)
        try PackageStaging.write(bytes, to: file)
        try checked(clinux_fsync(file.number), "sync the document's metadata")
        try checked(directory.rename(temporary, to: directory, as: name, flags: 0), "store the document's metadata")
    }
}
