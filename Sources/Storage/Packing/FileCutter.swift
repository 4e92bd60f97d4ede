import CLinux
import ContentChunking

/// Cuts files into chunks. Small ones: what a small change costs is a chunk or two.
enum FileCutter {
    /// No chunk is larger, in bytes.
    static let maximum = 256 << 10

    static let cutter = ContentCutter(
        minimum: 16 << 10, averageBits: 16, maximum: maximum, table: ContentCutter.fixedTable())
    private static let window = 1 << 20

    /// Reads a whole file, without moving its offset, and calls `body` with each chunk in turn.
    ///
    /// - Throws: what `body` throws; `.cancelled`; the failure of a system call.
    static func cut(
        _ descriptor: Int32, cancellation: Cancellation, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: window, alignment: 4096)
        defer { buffer.deallocate() }
        var (start, end, isComplete) = (0, 0, false)
        var offset: Int64 = 0
        while true {
            try cancellation.check()
            if end - start < maximum, !isComplete {
                // The areas may overlap.
                buffer.copyMemory(from: buffer + start, byteCount: end - start)
                (start, end) = (0, end - start)
                while end < window, !isComplete {
                    let got = try checked(clinux_pread(descriptor, buffer + end, window - end, offset), "read the file")
                    isComplete = got == 0
                    end += got
                    offset += Int64(got)
                }
            }
            guard end > start else { return }
            let left = UnsafeRawBufferPointer(start: buffer + start, count: min(end - start, maximum))
            let length = cutter.firstLength(left)
            try body(UnsafeRawBufferPointer(rebasing: left[..<length]))
            start += length
        }
    }

    /// The chunks of a file, in order.
    static func pieces(
        of descriptor: Int32, cancellation: Cancellation, pace: inout Pace
    ) throws -> [VersionRecipe.Piece] {
        var pieces: [VersionRecipe.Piece] = []
        try cut(descriptor, cancellation: cancellation) { chunk in
            pieces.append(.init(digest: ChunkDigest(of: chunk), length: chunk.count))
            pace.rest()
        }
        return pieces
    }
}
