import CLinux

extension OpenDescriptor {
    /// The first bytes of a file, fewer if it is shorter. Its offset is not used. Blocks.
    package func beginning(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { clinux_pread(number, $0, count, 0) } ?? 0
        }
        return Array(bytes.prefix(try checked(got, "read the file")))
    }
}
