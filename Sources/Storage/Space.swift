import CLinux
import Glibc

/// Disk space: asked for before anything is written, so that a full disk damages nothing (hazard 22).
package enum Space {
    /// Reserves blocks for a file's first `size` bytes without changing its length.
    ///
    /// - Throws: `.noSpace`, `.tooLarge` when the file system cannot hold such a file.
    package static func reserve(_ descriptor: Int32, size: UInt64) throws {
        guard size > 0 else { return }
        guard let length = Int64(exactly: size) else {
            throw FileSystemError(.tooLarge, "No file can have \(size) bytes.")
        }
        let outcome = clinux_fallocate(descriptor, CLINUX_FALLOC_KEEP_SIZE, 0, length)
        if outcome == -EOPNOTSUPP || outcome == -ENOSYS {
            return try requireAvailable(size, on: descriptor)
        }
        try checked(outcome, "reserve \(size) bytes for the file")
    }

    /// Refuses when fewer than `size` bytes, and a floor that must stay free, are available on the file system.
    ///
    /// - Parameter floor: bytes that other programs shall still find free afterwards.
    package static func requireAvailable(_ size: UInt64, on descriptor: Int32, floor: UInt64 = 0) throws {
        var fileSystem = clinux_file_system()
        try checked(clinux_statfs_fd(descriptor, &fileSystem), "examine the file system")
        let (available, overflow) = fileSystem.available_blocks.multipliedReportingOverflow(by: fileSystem.block_size)
        guard !overflow else { return }
        let (needed, tooMuch) = size.addingReportingOverflow(floor)
        guard !tooMuch, needed <= available else {
            throw FileSystemError(
                .noSpace, "\(size) bytes are needed, but only \(available) are free.", errno: ENOSPC)
        }
    }

    /// Gives back what was reserved beyond the end of the file.
    static func releaseExcess(_ descriptor: Int32, size: UInt64) throws {
        guard let length = Int64(exactly: size) else { return }
        try checked(clinux_ftruncate(descriptor, length), "trim the file")
    }
}
