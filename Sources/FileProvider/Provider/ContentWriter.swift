import CLinux
import Synchronization

/// Where the content of an item goes when the host asks for it. Safe to use from any thread.
public final class ContentWriter: Sendable {
    /// The descriptor, valid while the writer lives; open for writing.
    public let descriptor: CInt
    private let end = Mutex(0)

    /// Takes ownership of a descriptor that is open for writing.
    public init(owning descriptor: CInt) { self.descriptor = descriptor }

    deinit { _ = clinux_close(descriptor) }

    /// How far content has been written, in bytes.
    public var bytesWritten: Int { end.withLock { $0 } }

    /// Writes after what was written before.
    ///
    /// - Throws: ``FileProviderError`` when writing fails, for example for want of space.
    public func write(_ data: some Sequence<UInt8>) throws {
        let bytes = Array(data)
        let offset = end.withLock { end in
            defer { end += bytes.count }
            return end
        }
        try put(bytes, at: offset)
    }

    /// Writes a part at its place.
    ///
    /// - Throws: ``FileProviderError`` when writing fails, for example for want of space.
    public func write(_ data: some Sequence<UInt8>, at offset: Int) throws {
        let bytes = Array(data)
        try put(bytes, at: offset)
        end.withLock { $0 = max($0, offset + bytes.count) }
    }

    /// Copies the rest of an open file, sharing its blocks where the file system can.
    ///
    /// - Parameters:
    ///   - source: A regular file open for reading; its offset is not used.
    ///   - count: How many bytes to copy from its start.
    /// - Throws: ``FileProviderError`` when copying fails; `CancellationError` when the task was cancelled.
    public func copy(from source: CInt, count: Int) throws {
        do {
            try FileCopy.copy(from: source, to: descriptor, count: count)
        } catch let failure as SystemFailure {
            throw failure.providerError
        }
        end.withLock { $0 = max($0, count) }
    }

    private func put(_ bytes: [UInt8], at offset: Int) throws {
        do {
            try FileCopy.write(bytes, to: descriptor, at: offset)
        } catch {
            throw FileProviderError(wrapping: error)
        }
    }
}
