import Glibc
package import Storage

extension OpenDescriptor {
    /// Overwrites the file's content with a text.
    package func fill(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard ftruncate(number, 0) == 0, pwrite(number, bytes, bytes.count, 0) == bytes.count else {
            throw FileSystemError(.unacceptable, "The file cannot be written: errno \(errno).")
        }
    }

    /// The whole content.
    package var text: String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = pread(number, &buffer, buffer.count, off_t(bytes.count))
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
