import CArchive
import CLinux
import Glibc

/// Writes a package as one file: a zip archive, made by libarchive, as a read with the option `forUploading` gets it.
///
/// Blocking; call it on a `BlockingWorker`. Each writer makes one archive; not thread-safe.
package final class PackageArchive {
    private let handle: OpaquePointer
    private let file: OpenDescriptor
    private var isOpen = true

    /// Begins an archive in an empty file.
    ///
    /// - Parameter file: a file of Docent's own, open for reading and writing; not closed here.
    /// - Throws: `.failed`, `.noSpace`.
    package init(writingTo file: OpenDescriptor) throws {
        guard let handle = archive_write_new() else {
            throw FileSystemError(.failed, "There is not enough memory for an archive.")
        }
        self.handle = handle
        self.file = file
        try check(archive_write_set_format_zip(handle), "choose the format")
        // Names are UTF-8, whatever the locale of the process.
        try check(archive_write_set_options(handle, "hdrcharset=UTF-8"), "choose the names' encoding")
        try check(archive_write_set_bytes_in_last_block(handle, 1), "choose the block size")
        try check(archive_write_open_fd(handle, file.number), "open the archive")
    }

    deinit { archive_write_free(handle) }

    /// Adds a folder.
    ///
    /// - Parameter path: its path in the archive, without a trailing slash.
    package func addFolder(_ path: String) throws {
        try addHeader(path + "/", kind: carchive_folder, permissions: 0o755, size: 0, modified: 0)
    }

    /// Adds a file, in pieces.
    ///
    /// - Parameters:
    ///   - path: its path in the archive.
    ///   - source: readable; read from its start, whatever its offset; borrowed.
    /// - Throws: `.changed` when the file changed in the meantime: the archive is then useless; `.cancelled`.
    package func addFile(_ path: String, from source: Int32, cancellation: Cancellation = Cancellation()) throws {
        let before = try FileStatus(of: source)
        try addHeader(
            path, kind: carchive_file, permissions: 0o644, size: Int64(clamping: before.size), modified: before.modified
        )
        let capacity = 1 << 20
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            try cancellation.check()
            let got = try checked(clinux_pread(source, buffer, capacity, offset), "read the file")
            if got == 0 { break }
            let written = archive_write_data(handle, buffer, got)
            guard written == got else { throw failure("write the archive") }
            offset += Int64(got)
        }
        guard try FileStatus(of: source).sameContent(as: before), offset == Int64(clamping: before.size) else {
            throw FileSystemError(.changed, "\"\(path)\" changed while it was being read.")
        }
    }

    /// Ends the archive; nothing can be added afterwards.
    package func finish() throws {
        guard isOpen else { return }
        isOpen = false
        try check(archive_write_close(handle), "finish the archive")
    }

    private func addHeader(
        _ path: String, kind: UInt32, permissions: mode_t, size: Int64, modified: Int64
    ) throws {
        guard let entry = archive_entry_new() else {
            throw FileSystemError(.failed, "There is not enough memory for an archive.")
        }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname_utf8(entry, path)
        archive_entry_set_filetype(entry, kind)
        archive_entry_set_perm(entry, permissions)
        archive_entry_set_size(entry, size)
        if modified > 0 { archive_entry_set_mtime(entry, time_t(modified / 1_000_000_000), 0) }
        try check(archive_write_header(handle, entry), "add \"\(path)\" to the archive")
    }

    private func check(_ status: CInt, _ attempt: String) throws {
        // A warning about a name that the format can only approximate is ignored.
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw failure(attempt) }
    }

    private func failure(_ attempt: String) -> FileSystemError {
        let number = archive_errno(handle)
        if number > 0, number < 4096 { return FileSystemError(errno: number, attempt) }
        let reason = archive_error_string(handle).map { String(cString: $0) } ?? "unknown reason"
        return FileSystemError(.failed, "Cannot \(attempt): \(reason).")
    }
}
