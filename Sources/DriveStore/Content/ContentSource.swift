import Glibc

/// Content that is being stored. It must not change while it is read.
package protocol ContentSource: Sendable {
    /// The size in bytes.
    var size: Int { get }
    /// Some bytes of it, exactly as many as the range has.
    func read(_ range: Range<Int>) throws(DriveError) -> [UInt8]
}

/// Content in memory.
package struct BytesSource: ContentSource {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var size: Int { bytes.count }
    package func read(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
}

/// Content in a regular file.
package struct FileSource: ContentSource {
    private let descriptor: CInt
    private let owner: any Sendable
    package let size: Int

    /// - Parameter owner: Keeps the descriptor open.
    package init(descriptor: CInt, size: Int, owner: any Sendable) {
        self.descriptor = descriptor
        self.size = size
        self.owner = owner
    }

    package func read(_ range: Range<Int>) throws(DriveError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(range.lowerBound + done))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .local("The content is shorter than announced.") }
            done += count
        }
        return bytes
    }
}
