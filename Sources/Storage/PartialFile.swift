import CLinux
import Glibc

/// An incomplete download: a private file in `Downloads`, filled by a provider, then sealed and published.
///
/// Blocking; call it on a `BlockingWorker`. Not for concurrent use.
package final class PartialFile: Sendable {
    /// The file's name in its directory.
    package let name: FileName
    /// The file's directory, on the same file system as the containers.
    package let directory: Directory
    private let writable: OpenDescriptor

    private init(name: FileName, directory: Directory, writable: OpenDescriptor) {
        self.name = name
        self.directory = directory
        self.writable = writable
    }

    /// Creates an empty file (0600).
    ///
    /// - Throws: `.exists`.
    package static func create(_ name: FileName, in directory: Directory) throws -> PartialFile {
        let file = try directory.create(name)
        try directory.sync()
        return PartialFile(name: name, directory: directory, writable: file)
    }

    /// Reopens a file, and cuts off everything after the bytes that were recorded as being on disk.
    ///
    /// - Returns: nil when the file is missing or shorter than recorded: it must then be downloaded again.
    package static func open(_ name: FileName, in directory: Directory, completed: UInt64) throws -> PartialFile? {
        guard let status = try directory.status(of: name), status.kind == .regular, status.size >= completed else {
            return nil
        }
        let file = try directory.open(name)
        // An interrupted seal has removed the write permission.
        try checked(clinux_fchmod(file.number, 0o600), "reopen the download", path: directory.shown(name))
        let writable = try OpenDescriptor.reopenForWriting(file.number)
        let partial = PartialFile(name: name, directory: directory, writable: writable)
        try partial.truncate(to: completed)
        return partial
    }

    /// Reopens a file that was filled in parts, or from the start on, with the length of the whole content.
    ///
    /// - Parameter needed: where the last recorded byte ends.
    /// - Returns: nil when the file is missing or shorter than recorded.
    package static func openInParts(
        _ name: FileName, in directory: Directory, size: UInt64, needed: UInt64
    ) throws -> PartialFile? {
        guard let status = try directory.status(of: name), status.kind == .regular, status.size >= needed else {
            return nil
        }
        let file = try directory.open(name)
        // An interrupted seal has removed the write permission.
        try checked(clinux_fchmod(file.number, 0o600), "reopen the download", path: directory.shown(name))
        let partial = PartialFile(
            name: name, directory: directory, writable: try OpenDescriptor.reopenForWriting(file.number))
        try partial.truncate(to: size)
        return partial
    }

    /// A separate descriptor for readers. It keeps the content, also when the file is published or removed.
    package func makeReader() throws -> OpenDescriptor { try OpenDescriptor.reopenReadOnly(writable.number) }

    /// Moves what is in a pipe to a position of the file, without waiting.
    ///
    /// - Returns: the number of bytes; 0 at the pipe's end; nil when the pipe is empty.
    func move(from pipe: Int32, to position: Int64, atMost length: Int64) throws -> Int64? {
        let moved = clinux_splice(pipe, writable.number, position, UInt64(clamping: length))
        if moved == -Int64(EAGAIN) { return nil }
        if moved < 0 { try checked(Int32(clamping: moved), "write the download", path: directory.shown(name)) }
        return moved
    }

    /// The current size in bytes.
    package var size: UInt64 {
        get throws { try FileStatus(of: writable.number).size }
    }

    /// A separate descriptor for the provider, readable and writable, at offset 0. Fails after ``seal(cancellation:)``.
    package func makeDestination() throws -> OpenDescriptor {
        try OpenDescriptor.reopenForWriting(writable.number)
    }

    /// Reserves space for the first `size` bytes without changing the length.
    ///
    /// - Throws: `.noSpace`, `.tooLarge`.
    package func reserve(_ size: UInt64) throws {
        try Space.reserve(writable.number, size: size)
    }

    /// Refuses to go on when fewer bytes than that are free on the disk.
    ///
    /// - Throws: `.noSpace`.
    package func requireAvailable(keeping free: UInt64) throws {
        try Space.requireAvailable(0, on: writable.number, keeping: free)
    }

    /// Refuses a sparse file whose holes would not fit on the disk: a reader that copies it would fill its own
    /// disk.
    ///
    /// - Throws: `.noSpace`.
    package func requireRoom(for size: UInt64) throws {
        try Space.requireRoom(writable.number, size: size)
    }

    /// Makes the bytes so far durable; only then may they be recorded.
    package func synchronize() throws {
        try checked(clinux_fdatasync(writable.number), "sync the download", path: directory.shown(name))
    }

    /// Sets the length, for instance to 0 when the provider starts again.
    package func truncate(to size: UInt64) throws {
        guard let length = Int64(exactly: size) else {
            throw FileSystemError(.tooLarge, "No file can have \(size) bytes.")
        }
        try checked(clinux_ftruncate(writable.number, length), "shorten the download", path: directory.shown(name))
    }

    /// Ends the download: afterwards the file (0400) is durable, and nothing can write to it.
    ///
    /// If a provider may still hold a descriptor, a fresh copy replaces the file, with shared blocks if the file system
    /// supports it. `MaterialisedStore.publish` then moves the file to its place.
    /// - Returns: the sealed file, for reading, and its status; size and content are final.
    package func seal(cancellation: Cancellation = Cancellation()) throws -> (file: OpenDescriptor, status: FileStatus)
    {
        guard let number = writable.take() else {
            throw FileSystemError(.unsupported, "The download is already sealed.", path: directory.shown(name))
        }
        // Our own descriptor would count as a writer. Space reserved beyond the end is freed.
        do {
            defer { clinux_close(number) }
            try Space.releaseExcess(number, size: FileStatus(of: number).size)
        }
        var file = try directory.open(name)
        // Before the check for writers, so that no new writer appears after it.
        try checked(clinux_fchmod(file.number, 0o400), "seal the download", path: directory.shown(name))
        if clinux_has_writer(file.number) != 0 { file = try freshCopy(of: file, cancellation: cancellation) }
        try checked(clinux_fsync(file.number), "sync the download", path: directory.shown(name))
        return (file, try FileStatus(of: file.number))
    }

    /// Removes the file. A missing file is no error.
    package func remove() throws {
        try directory.remove(name)
    }

    private func freshCopy(of file: OpenDescriptor, cancellation: Cancellation) throws -> OpenDescriptor {
        let aside = FileName(unchecked: Array((".copy-".utf8 + name.bytes).prefix(FileName.maximumLength)))
        try directory.remove(aside)
        do {
            let copy = try directory.create(aside)
            _ = try FileCopier.copy(from: file.number, to: copy.number, bound: .max, cancellation: cancellation)
            try checked(clinux_fchmod(copy.number, 0o400), "seal the copy", path: directory.shown(aside))
        } catch {
            try? directory.remove(aside)
            throw error
        }
        try checked(
            directory.rename(aside, to: directory, as: name, flags: 0), "put the copy in place",
            path: directory.shown(name))
        return try directory.open(name)
    }
}
