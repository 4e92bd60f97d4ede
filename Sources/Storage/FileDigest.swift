import CLinux
package import Cryptography

/// The digest of a file's content.
package enum FileDigest {
    /// Reads the whole file in pieces, without moving its offset.
    ///
    /// - Parameter progress: bytes read, on the calling thread, after each MiB.
    package static func sha256(
        of descriptor: Int32, cancellation: Cancellation = Cancellation(), progress: (UInt64) -> Void = { _ in }
    ) throws -> (digest: SHA256.Digest, size: UInt64) {
        let capacity = 1 << 20
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 4096)
        defer { buffer.deallocate() }
        var digest = SHA256()
        var offset: Int64 = 0
        while true {
            try cancellation.check()
            let got = try checked(clinux_pread(descriptor, buffer, capacity, offset), "read the file")
            if got == 0 { return (digest.finish(), UInt64(offset)) }
            digest.update(UnsafeRawBufferPointer(start: buffer, count: got))
            offset += Int64(got)
            progress(UInt64(offset))
        }
    }
}
