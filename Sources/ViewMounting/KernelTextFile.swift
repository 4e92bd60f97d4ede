import CLinux

/// Files of /proc that are read as a whole.
package enum KernelTextFile {
    /// The text of a file; nil if it cannot be read.
    ///
    /// - Parameter most: the number of bytes that are read at most.
    package static func text(_ path: String, most: Int = 65_536) -> String? {
        let descriptor = clinux_open(path, CLINUX_O_RDONLY, 0)
        guard descriptor >= 0 else { return nil }
        defer { _ = clinux_close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < most {
            let count = part.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { clinux_read(descriptor, $0, buffer.count) } ?? 0
            }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += part[0..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
