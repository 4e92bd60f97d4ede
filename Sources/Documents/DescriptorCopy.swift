import CLinux
import Glibc

/// Copies content between two open files of this client in the fastest way that the file system offers.
package enum DescriptorCopy {
    /// Copies everything from the start of the source to the end of the target. Blocks.
    ///
    /// - Throws: ``DocumentsError`` `noSpace` when the disk is full, otherwise `failed`.
    package static func copy(from source: CInt, to target: CInt) throws(DocumentsError) {
        if clinux_clone(source, target) == 0 { return }
        var offset: Int64 = 0
        while true {
            let count = clinux_copy_file_range(source, offset, target, offset, 1 << 30)
            if count == 0 { return }
            if count < 0 {
                let code = CInt(-count)
                if code == EINTR { continue }
                if offset == 0, [EXDEV, EINVAL, EOPNOTSUPP, ENOSYS, EBADF, ESPIPE].contains(code) { break }
                throw failure("Copying failed", code)
            }
            offset += Int64(count)
        }
        try copyByReading(from: source, to: target)
    }

    /// Copies with read and write, from the start of the source when it can seek; works with pipes and terminals too.
    package static func copyByReading(from source: CInt, to target: CInt) throws(DocumentsError) {
        var offset: off_t = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
        defer { buffer.deallocate() }
        while true {
            var count = pread(source, buffer.baseAddress, buffer.count, offset)
            if count < 0, errno == ESPIPE { count = read(source, buffer.baseAddress, buffer.count) }
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("Reading failed", errno)
            }
            offset += off_t(count)
            var written = 0
            while written < count {
                let step = write(target, buffer.baseAddress.map { $0 + written }, count - written)
                if step < 0 {
                    if errno == EINTR { continue }
                    throw failure("Writing failed", errno)
                }
                written += step
            }
        }
    }

    private static func failure(_ what: String, _ code: CInt) -> DocumentsError {
        return DocumentsError(
            code == ENOSPC || code == EDQUOT ? .noSpace : .failed, "\(what): \(String(cString: strerror(code))).")
    }
}
