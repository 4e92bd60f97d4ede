import CFUSE

/// Puts a message to the kernel together.
struct KernelMessageWriter {
    /// A negative errno, or the code of a notification.
    var error: Int32 = 0
    private let unique: UInt64
    private var bytes = [UInt8](repeating: 0, count: MemoryLayout<fuse_out_header>.size)

    init(to unique: UInt64) { self.unique = unique }

    mutating func append(_ part: some BitwiseCopyable) {
        withUnsafeBytes(of: part) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: [UInt8]) { bytes += text }

    /// Appends a name with its null byte.
    mutating func append(name: String) { bytes += Array(name.utf8) + [0] }

    /// The message with its header.
    ///
    /// - Parameter count: the number of bytes that are sent after these.
    func finished(following count: Int = 0) -> [UInt8] {
        var result = bytes
        let header = fuse_out_header(len: UInt32(bytes.count + count), error: error, unique: unique)
        withUnsafeBytes(of: header) { result.replaceSubrange(0..<$0.count, with: $0) }
        return result
    }
}
