import CLinux
import Documents
import Glibc

/// Copies the content of files, as blocks that are shared where the file system can.
enum SharedCopy {
    /// Replaces the content of a file with that of another. Blocks.
    static func copy(from source: CInt, to target: CInt) throws(DocumentsError) {
        if isSame(source, target) || clinux_clone(source, target) == 0 { return }
        try check(CInt(clinux_ftruncate(target, 0)))
        var offset: Int64 = 0
        var isShared = true
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            if isShared {
                let count = clinux_copy_file_range(source, offset, target, offset, 1 << 30)
                if count > 0 {
                    offset += Int64(count)
                    continue
                }
                if count == 0 { return }
                isShared = false
            }
            let count = buffer.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { clinux_pread(source, $0, bytes.count, offset) } ?? 0
            }
            if count == 0 { return }
            try check(CInt(min(count, 0)))
            var written = 0
            while written < count {
                let part = buffer.withUnsafeBytes { bytes in
                    bytes.baseAddress.map {
                        clinux_pwrite(target, $0 + written, count - written, offset + Int64(written))
                    } ?? 0
                }
                try check(CInt(min(part, 0)))
                guard part > 0 else { throw DocumentsError(.noSpace, "There is no room for the content.") }
                written += part
            }
            offset += Int64(count)
        }
    }

    /// Whether two files have the same content. Blocks.
    static func isEqual(_ first: CInt, _ second: CInt) throws(DocumentsError) -> Bool {
        var (offset, count): (Int64, Int) = (0, 1)
        var (one, other) = ([UInt8](repeating: 0, count: 1 << 18), [UInt8](repeating: 0, count: 1 << 18))
        while count > 0 {
            count = read(first, &one, offset)
            let otherCount = read(second, &other, offset)
            try check(CInt(min(count, otherCount, 0)))
            guard count == otherCount, one[..<count] == other[..<count] else { return false }
            offset += Int64(count)
        }
        return true
    }

    private static func read(_ file: CInt, _ buffer: inout [UInt8], _ offset: Int64) -> Int {
        buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { clinux_pread(file, $0, bytes.count, offset) } ?? 0
        }
    }

    // Both are open in the same file, which must not be emptied first.
    private static func isSame(_ source: CInt, _ target: CInt) -> Bool {
        var (first, second) = (clinux_stat(), clinux_stat())
        guard clinux_stat_fd(source, &first) == 0, clinux_stat_fd(target, &second) == 0 else { return false }
        return first.device == second.device && first.inode == second.inode
    }

    private static func check(_ result: CInt) throws(DocumentsError) {
        guard result < 0 else { return }
        throw DocumentsError(
            result == -ENOSPC || result == -EDQUOT ? .noSpace : .failed,
            "The content cannot be copied: \(String(cString: strerror(-result))).")
    }
}
