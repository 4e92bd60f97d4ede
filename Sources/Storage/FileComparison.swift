import CLinux
import Glibc

/// Compares the contents of files.
package enum FileComparison {
    private static let piece = 1 << 18

    /// Whether two files have the same content. Reads both up to the first difference, without moving their offsets.
    package static func isSame(
        _ first: Int32, _ second: Int32, cancellation: Cancellation = Cancellation()
    ) throws -> Bool {
        guard try FileStatus(of: first).size == FileStatus(of: second).size else { return false }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: 2 * piece, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            try cancellation.check()
            let one = try read(first, into: buffer, at: offset)
            let other = try read(second, into: buffer + piece, at: offset)
            guard one == other, memcmp(buffer, buffer + piece, one) == 0 else { return false }
            if one == 0 { return true }
            offset += Int64(one)
        }
    }

    // A whole piece, except at the end: a file may give less than it was asked for.
    private static func read(_ file: Int32, into buffer: UnsafeMutableRawPointer, at offset: Int64) throws -> Int {
        var length = 0
        while length < piece {
            let got = try checked(
                clinux_pread(file, buffer + length, piece - length, offset + Int64(length)), "read the file")
            if got == 0 { break }
            length += got
        }
        return length
    }
}
