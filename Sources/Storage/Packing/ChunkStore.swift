import CLinux
import Glibc

/// The files of chunks, each under its digest. It counts nothing: `KeptContentStore` knows which chunks are used.
struct ChunkStore: Sendable {
    /// A file in the folder of chunks.
    struct Found: Sendable {
        /// nil for what an interrupted packing left.
        var digest: ChunkDigest?
        var size: UInt64
        var folder: FileName
        var name: FileName
    }

    private static let unfinished = FileName(unchecked: Array(".new".utf8))
    private let path: OwnPath
    private let parent: OwnPath

    init(layout: StorageLayout) {
        path = layout.chunksDirectory
        parent = layout.dataDirectory
    }

    /// The folder of all chunks, created if it is missing. New recipes are written in it first.
    func root() throws -> Directory { try Directory.make(path: path) }

    // MARK: Writing

    /// Stores a chunk, unless it is stored already: all bytes are compared, so a damaged chunk is replaced. The content
    /// is on the disk when this returns, its name after ``sync(_:)``.
    ///
    /// - Returns: whether it was written.
    /// - Throws: `.noSpace`; the failure of a system call. A name that appears is always that of a complete chunk.
    func put(_ bytes: UnsafeRawBufferPointer, _ digest: ChunkDigest, in root: Directory) throws -> Bool {
        let folder = try root.makeDirectory(digest.folder)
        if try holds(bytes, digest, in: folder) { return false }
        try folder.remove(Self.unfinished)
        do {
            let file = try folder.create(Self.unfinished)
            try Self.write(bytes, to: file)
            try checked(clinux_fsync(file.number), "sync a part of the version")
            try checked(
                folder.rename(Self.unfinished, to: folder, as: digest.name, flags: 0), "keep a part of the version")
            return true
        } catch {
            try? folder.remove(Self.unfinished)
            throw error
        }
    }

    /// Makes the names in some of its folders durable, and those of the folders themselves: they may be from a process
    /// that was killed before it did that.
    func sync(_ folders: Set<FileName>, in root: Directory) throws {
        for folder in folders { try root.directory(folder).sync() }
        try root.sync()
        try Directory(path: parent).sync()
    }

    /// Removes a chunk. A missing one is no error.
    func remove(_ digest: ChunkDigest) throws {
        guard let folder = try folder(digest.folder) else { return }
        try folder.remove(digest.name)
    }

    /// Writes all bytes at the beginning of a file.
    static func write(_ bytes: UnsafeRawBufferPointer, to file: OpenDescriptor, at offset: UInt64 = 0) throws {
        guard let start = bytes.baseAddress else { return }
        var written = 0
        while written < bytes.count {
            written += try checked(
                clinux_pwrite(
                    file.number, start + written, bytes.count - written, Int64(clamping: offset) + Int64(written)),
                "write the version")
        }
    }

    // MARK: Reading

    /// Reads a chunk into a buffer of its length, and verifies it.
    ///
    /// - Throws: `.corrupt` if it is missing or damaged; the failure of a system call.
    func read(_ digest: ChunkDigest, into buffer: UnsafeMutableRawBufferPointer) throws {
        guard let folder = try folder(digest.folder), try folder.status(of: digest.name) != nil else {
            throw FileSystemError(.corrupt, "A part of a kept version is missing.")
        }
        let file = try folder.open(digest.name)
        guard try Self.fill(buffer, from: file), ChunkDigest(of: UnsafeRawBufferPointer(buffer)) == digest else {
            throw FileSystemError(.corrupt, "A part of a kept version is damaged.")
        }
    }

    /// All files, in no order; nothing if there is no store yet.
    func all() throws -> [Found] {
        guard let root = try rootIfThere() else { return [] }
        var found: [Found] = []
        for name in try root.names() where try root.status(of: name)?.kind == .directory {
            let folder = try root.directory(name)
            for file in try folder.names() {
                guard let status = try folder.status(of: file), status.kind == .regular else { continue }
                found.append(Found(digest: ChunkDigest(file), size: status.size, folder: name, name: file))
            }
        }
        return found
    }

    /// Removes a file that ``all()`` found.
    func remove(_ found: Found) throws { try folder(found.folder)?.remove(found.name) }

    private func rootIfThere() throws -> Directory? {
        do {
            return try Directory(path: path)
        } catch let error as FileSystemError where error.code == .notFound {
            return nil
        }
    }

    private func folder(_ name: FileName) throws -> Directory? {
        guard let root = try rootIfThere(), try root.status(of: name)?.kind == .directory else { return nil }
        return try root.directory(name)
    }

    // Whether the whole content of the file is the bytes. What cannot be read is written again.
    private func holds(_ bytes: UnsafeRawBufferPointer, _ digest: ChunkDigest, in folder: Directory) throws -> Bool {
        guard let status = try folder.status(of: digest.name), status.kind == .regular,
            status.size == UInt64(bytes.count), let file = try? folder.open(digest.name)
        else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { buffer.deallocate() }
        guard (try? Self.fill(buffer, from: file)) == true else { return false }
        guard let one = buffer.baseAddress, let other = bytes.baseAddress else { return true }
        return memcmp(one, other, bytes.count) == 0
    }

    /// Fills a buffer from a file; false if the file ends before.
    static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: OpenDescriptor, at offset: Int64 = 0
    ) throws -> Bool {
        guard let start = buffer.baseAddress else { return true }
        var filled = 0
        while filled < buffer.count {
            let got = try checked(
                clinux_pread(file.number, start + filled, buffer.count - filled, offset + Int64(filled)),
                "read the version")
            guard got > 0 else { return false }
            filled += got
        }
        return true
    }
}
