import CLinux
import Cryptography

/// Packages on their way to a provider, on disk: for each operation a folder of staged files in `Staging` and, once
/// complete and durable, in `Uploads` with its manifest.
///
/// Blocking; call it on a `BlockingWorker`. Every function may be repeated.
package struct PackageStaging: Sendable {
    let layout: StorageLayout

    /// Uses the directories of a layout.
    package init(layout: StorageLayout) { self.layout = layout }

    private static let manifestName = FileName(unchecked: Array("manifest".utf8))
    private static let sentName = FileName(unchecked: Array("sent".utf8))
    static let packageName = FileName(unchecked: Array("name".utf8))
    // The suffix of the file beside a staged file that holds its path in the package.
    static let pathSuffix = ".path"

    // MARK: Before the commit point

    /// Creates the folder of an operation, empty.
    ///
    /// - Parameter name: the package's name, for ``recover(_:item:cancellation:)``.
    package func begin(_ id: String, name: String) throws {
        let staging = try Directory(path: layout.stagingDirectory)
        let folder = try staging.makeDirectory(try FileName(id))
        try folder.removeContents()
        try Self.write(Array(name.utf8), to: folder.create(Self.packageName))
    }

    /// Copies content from a client: bounded, durable, and read-only afterwards.
    ///
    /// - Parameters:
    ///   - source: readable; borrowed.
    ///   - file: the name for the staged file, unique in the operation.
    ///   - path: its path in the package.
    /// - Throws: what `ForeignDescriptor.check` and `FileCopier.copy` throw; nothing is left behind then.
    package func add(
        _ source: Int32, as file: String, at path: PackagePath, to id: String, cancellation: Cancellation
    ) throws -> PackageManifest.Content {
        let status = try ForeignDescriptor.check(source, access: .readOnly)
        let folder = try Directory(path: layout.stagingDirectory).directory(try FileName(id))
        let name = try FileName(file)
        try folder.remove(name)
        let target = try folder.create(name)
        do {
            let copied = try FileCopier.copy(
                from: source, to: target.number, bound: status.size, cancellation: cancellation)
            let (digest, size) = try FileDigest.sha256(of: target.number, cancellation: cancellation)
            guard size == copied.size else { throw FileSystemError(.changed, "The copy differs from its source.") }
            try checked(clinux_fchmod(target.number, 0o400), "freeze the content")
            try checked(clinux_fsync(target.number), "sync the content")
            try Self.write(Array(path.text.utf8), to: folder.create(try FileName(file + Self.pathSuffix)))
            return PackageManifest.Content(file: file, size: Int64(clamping: size), digest: digest.description)
        } catch {
            try? folder.remove(name)
            try? folder.remove(FileName(file + Self.pathSuffix))
            throw error
        }
    }

    /// Removes a staged file that is no longer needed.
    package func drop(_ file: String, of id: String) throws {
        let folder = try Directory(path: layout.stagingDirectory).directory(try FileName(id))
        try folder.remove(try FileName(file + Self.pathSuffix))
        try folder.remove(try FileName(file))
    }

    /// Makes the manifest and the content durable and moves them to `Uploads` (W2 to W4).
    ///
    /// - Returns: the digest of the manifest, and the size of the new content in bytes.
    package func freeze(_ id: String, _ manifest: PackageManifest) throws -> (digest: String, size: Int64) {
        let name = try FileName(id)
        let (staging, uploads) = (
            try Directory(path: layout.stagingDirectory), try Directory(path: layout.uploadsDirectory)
        )
        try takeBack(name)
        let folder = try staging.directory(name)
        try folder.remove(Self.manifestName)
        let file = try folder.create(Self.manifestName, mode: 0o400)
        let bytes = try manifest.encoded()
        try Self.write(bytes, to: file)
        try checked(clinux_fsync(file.number), "sync the list of elements")
        try folder.sync()
        try checked(
            staging.rename(name, to: uploads, as: name, flags: CLINUX_RENAME_NOREPLACE), "commit the package")
        try uploads.sync()
        try staging.sync()
        return (SHA256.digest(of: bytes).description, manifest.size)
    }

    /// Moves the folder of an operation back to `Staging` if a commit failed after it had moved it, but before the
    /// commit point.
    func takeBack(_ name: FileName) throws {
        let (staging, uploads) = (
            try Directory(path: layout.stagingDirectory), try Directory(path: layout.uploadsDirectory)
        )
        guard try staging.status(of: name) == nil, try uploads.status(of: name) != nil else { return }
        try checked(
            uploads.rename(name, to: staging, as: name, flags: CLINUX_RENAME_NOREPLACE), "take the package back")
    }

    static func read(_ name: FileName, in folder: Directory) throws -> [UInt8] {
        try bytes(of: try folder.open(name), limit: 64 << 20)
    }

    /// Reads the first bytes of an open file.
    package static func bytes(of file: OpenDescriptor, limit: Int) throws -> [UInt8] {
        let size = try FileStatus(of: file.number).size
        var bytes = [UInt8](repeating: 0, count: Int(clamping: min(size, UInt64(limit))))
        let got = try checked(
            bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { clinux_pread(file.number, $0, buffer.count, 0) } ?? 0
            }, "read the content")
        return Array(bytes.prefix(got))
    }

    static func write(_ bytes: [UInt8], to file: OpenDescriptor) throws {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { clinux_pwrite(file.number, $0 + done, bytes.count - done, Int64(done)) } ?? 0
            }
            done += try checked(written, "write the list of elements")
        }
    }

    // MARK: After the commit point

    /// The manifest of a committed operation.
    ///
    /// - Parameter digest: the digest in the journal.
    /// - Throws: `.corrupt` when the manifest has another digest.
    package func manifest(_ id: String, digest: String) throws -> PackageManifest {
        let bytes = try Self.read(Self.manifestName, in: folder(id))
        guard SHA256.digest(of: bytes).description == digest else {
            throw FileSystemError(.corrupt, "The list of elements of operation \(id) is not what was committed.")
        }
        return try PackageManifest(decoding: bytes)
    }

    /// Opens committed content for reading.
    package func open(_ file: String, of id: String) throws -> OpenDescriptor {
        try folder(id).open(try FileName(file))
    }

    /// Gives committed content its own name in `Uploads`, where the upload of a single document looks for it.
    package func link(_ file: String, of id: String, as operation: String) throws {
        let uploads = try Directory(path: layout.uploadsDirectory)
        // If the name exists, this was done before.
        _ = try folder(id).link(try FileName(file), to: uploads, as: try FileName(operation))
    }

    /// Makes the names in `Uploads` durable.
    package func syncUploads() throws { try Directory(path: layout.uploadsDirectory).sync() }

    /// Records that the provider has all of a committed package. Durable when it returns.
    package func noteSent(_ id: String) throws {
        let folder = try folder(id)
        if try folder.status(of: Self.sentName) == nil { _ = try folder.create(Self.sentName) }
        try folder.sync()
    }

    /// Whether ``noteSent(_:)`` was called for an operation.
    package func isSent(_ id: String) throws -> Bool { try folder(id).status(of: Self.sentName) != nil }

    private func folder(_ id: String) throws -> Directory {
        try Directory(path: layout.uploadsDirectory).directory(try FileName(id))
    }

    /// Removes everything that is kept of an operation.
    package func remove(_ id: String) throws {
        let name = try FileName(id)
        for path in [layout.stagingDirectory, layout.uploadsDirectory] {
            try Directory(path: path).removeTree(name)
        }
    }
}

extension Directory {
    /// Removes a folder with its contents, or a file; a missing one is no error.
    package func removeTree(_ name: FileName) throws {
        guard let status = try status(of: name) else { return }
        guard status.kind == .directory else { return try remove(name) }
        try directory(name).removeContents()
        try removeEmptyDirectory(name)
    }
}
