import CLinux
import Glibc

/// Disk space: checked before anything is written, so that a full disk damages nothing.
package enum Space {
    /// Reserves blocks for a file's first `size` bytes without changing its length.
    ///
    /// - Throws: `.noSpace`; `.tooLarge` when the file system cannot hold such a file.
    package static func reserve(_ descriptor: Int32, size: UInt64) throws {
        guard size > 0 else { return }
        guard let length = Int64(exactly: size) else {
            throw FileSystemError(.tooLarge, "No file can have \(size) bytes.")
        }
        // Checked first: a reservation that fails at the end could use up all space in the meantime.
        try requireRoom(descriptor, size: size)
        let outcome = clinux_fallocate(descriptor, CLINUX_FALLOC_KEEP_SIZE, 0, length)
        if outcome == -EOPNOTSUPP || outcome == -ENOSYS { return }
        try checked(outcome, "reserve \(size) bytes for the file")
    }

    /// Refuses when there is no room for those of a file's first `size` bytes that have no blocks yet.
    ///
    /// - Throws: `.noSpace`.
    package static func requireRoom(_ descriptor: Int32, size: UInt64) throws {
        var status = clinux_stat()
        try checked(clinux_stat_fd(descriptor, &status), "examine the file")
        let present = status.blocks.multipliedReportingOverflow(by: 512).partialValue
        if size > present { try requireAvailable(size - present, on: descriptor) }
    }

    /// Refuses when fewer than `size` bytes, in addition to the minimum that must stay free, are available on the file
    /// system.
    ///
    /// - Parameter minimumFree: the bytes that must stay free for other programs.
    /// - Throws: `.noSpace`.
    package static func requireAvailable(
        _ size: UInt64, on descriptor: Int32, keeping minimumFree: UInt64 = 0
    ) throws {
        let available = try available(on: descriptor)
        let (needed, tooMuch) = size.addingReportingOverflow(minimumFree)
        guard !tooMuch, needed <= available else {
            let kept = minimumFree > 0 ? ", of which \(minimumFree) must stay free" : ""
            throw FileSystemError(
                .noSpace, "\(size) bytes are needed, but only \(available) are free\(kept).", errno: ENOSPC)
        }
    }

    /// The bytes available to an ordinary user on the file system of an open file or directory.
    package static func available(on descriptor: Int32) throws -> UInt64 {
        var fileSystem = clinux_file_system()
        try checked(clinux_statfs_fd(descriptor, &fileSystem), "examine the file system")
        let (available, overflow) = fileSystem.available_blocks.multipliedReportingOverflow(by: fileSystem.block_size)
        return overflow ? .max : available
    }

    /// Whether files in a folder can share their blocks, so that a copy costs nothing until it is changed. Blocks.
    ///
    /// - Throws: the failure of a system call other than the one that shares them.
    package static func sharesBlocks(in directory: Directory) throws -> Bool {
        let (one, other) = (try TemporaryFile.unnamed(in: directory), try TemporaryFile.unnamed(in: directory))
        let bytes = [UInt8](repeating: 1, count: 65_536)
        try bytes.withUnsafeBytes { try ChunkStore.write($0, to: one) }
        // Some file systems share only what is on the disk.
        try checked(clinux_fsync(one.number), "sync a file")
        return clinux_clone(one.number, other.number) == 0
    }

    /// Frees the space that was reserved beyond the end of the file.
    static func releaseExcess(_ descriptor: Int32, size: UInt64) throws {
        guard let length = Int64(exactly: size) else { return }
        try checked(clinux_ftruncate(descriptor, length), "trim the file")
    }
}
