import CLinux
import Glibc

/// Copies bytes between descriptors.
enum FileCopy {
    private static let piece = 8 << 20

    /// Copies the first `count` bytes of a file: reflink, else copy_file_range, else read and write. Never maps the
    /// source and never holds more than a small part of it in memory.
    ///
    /// - Parameter copied: receives the number of bytes copied so far, after each part.
    /// - Throws: ``SystemFailure``; ENODATA when the source is shorter; `CancellationError` between parts.
    static func copy(
        from source: CInt, to target: CInt, count: Int, copied: (Int) -> Void = { _ in }
    ) throws {
        if try LocalFileFacts(descriptor: source).size == count, clinux_clone(source, target) == 0 {
            return copied(count)
        }
        var offset = 0
        var inKernel = true
        var buffer: [UInt8] = []
        while offset < count {
            try Task.checkCancellation()
            let wanted = min(piece, count - offset)
            if inKernel {
                let moved = clinux_copy_file_range(source, Int64(offset), target, Int64(offset), wanted)
                if moved > 0 {
                    offset += moved
                    copied(offset)
                    continue
                }
                // Happens between file systems, on old ones, and for a file that grows meanwhile.
                inKernel = false
                if moved < 0, [ENOSPC, EDQUOT, EIO].contains(CInt(-moved)) {
                    throw SystemFailure(CInt(-moved), "copy the content")
                }
            }
            if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: min(1 << 20, wanted)) }
            let taken = try SystemFailure.check(
                clinux_pread(source, &buffer, min(buffer.count, wanted), Int64(offset)), "read the content")
            guard taken > 0 else { throw SystemFailure(ENODATA, "read the content: it is shorter than declared") }
            try write(buffer[..<taken], to: target, at: offset)
            offset += taken
            copied(offset)
        }
    }

    /// Writes all bytes at an offset.
    static func write(_ bytes: some Collection<UInt8>, to target: CInt, at offset: Int) throws(SystemFailure) {
        let all = ContiguousArray(bytes)
        var done = 0
        while done < all.count {
            let written = all.withUnsafeBytes { buffer in
                buffer.baseAddress.map { clinux_pwrite(target, $0 + done, all.count - done, Int64(offset + done)) } ?? 0
            }
            done += try SystemFailure.check(written, "write the content")
            if written == 0 { throw SystemFailure(EIO, "write the content") }
        }
    }
}
