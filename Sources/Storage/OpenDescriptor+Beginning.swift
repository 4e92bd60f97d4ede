import CLinux

extension OpenDescriptor {
    /// The first bytes of a file, fewer if it is shorter. Its offset is not used. Blocks.
    package func beginning(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var position = 0
        while position < count {
            let got = try bytes.withUnsafeMutableBytes { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return try checked(
                    clinux_pread(number, start + position, count - position, Int64(position)), "read the file")
            }
            guard got > 0 else { break }
            position += got
        }
        return Array(bytes.prefix(position))
    }
}
