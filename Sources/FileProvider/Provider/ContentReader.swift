import CLinux
public import FoundationEssentials

/// Content to be stored. Safe to use from any thread.
public final class ContentReader: Sendable {
    /// The descriptor of a regular file open for reading, valid while this object exists.
    public let descriptor: CInt
    /// The size of the content in bytes.
    public let size: Int
    /// What is to be kept beside the content; nil without the feature ``ProviderFeatures/metadata``.
    public let metadata: ItemMetadata?

    /// Takes ownership of a descriptor.
    ///
    /// - Throws: ``FileProviderError`` if it is not a regular file open for reading, or has fewer bytes than `size`.
    public convenience init(owning descriptor: CInt, size: Int? = nil, metadata: ItemMetadata? = nil) throws {
        let facts: LocalFileFacts
        do {
            let mode = try SystemFailure.check(clinux_get_status_flags(descriptor), "look at the content")
            guard mode & CLINUX_O_PATH == 0, mode & CLINUX_O_ACCMODE != CLINUX_O_WRONLY else {
                throw FileProviderError(.invalidArgument, "The content is not open for reading.")
            }
            facts = try LocalFileFacts(descriptor: descriptor)
            guard facts.kind == .file else {
                throw FileProviderError(.invalidArgument, "The content is not a regular file.")
            }
            guard size.map({ $0 >= 0 && $0 <= facts.size }) ?? true else {
                throw FileProviderError(.invalidArgument, "The content is shorter than declared.")
            }
        } catch {
            _ = clinux_close(descriptor)
            throw FileProviderError(wrapping: error)
        }
        self.init(checked: descriptor, size: size ?? facts.size, metadata)
    }

    private init(checked descriptor: CInt, size: Int, _ metadata: ItemMetadata?) {
        self.descriptor = descriptor
        self.size = size
        self.metadata = metadata
    }

    deinit { _ = clinux_close(descriptor) }

    /// Reads a part of the content.
    ///
    /// - Parameters:
    ///   - offset: Where the part begins, in bytes.
    ///   - count: The most bytes to read.
    /// - Returns: The bytes; fewer than `count` only at the end.
    /// - Throws: ``FileProviderError`` when reading fails.
    public func read(at offset: Int, count: Int) throws -> Data {
        let wanted = max(0, min(count, size - offset))
        var data = Data(count: wanted)
        var done = 0
        do {
            try data.withUnsafeMutableBytes { buffer in
                while done < wanted, let start = buffer.baseAddress {
                    let taken = try SystemFailure.check(
                        clinux_pread(descriptor, start + done, wanted - done, Int64(offset + done)),
                        "read the content")
                    if taken == 0 { break }
                    done += taken
                }
            }
        } catch {
            throw FileProviderError(wrapping: error)
        }
        return done == wanted ? data : data.prefix(done)
    }

    /// Reads all of the content.
    ///
    /// - Parameter limit: The most bytes to hold in memory.
    /// - Throws: ``FileProviderError`` when the content is longer than `limit`, or reading fails.
    public func readAll(limit: Int = 16 << 20) throws -> Data {
        guard size <= limit else {
            throw FileProviderError(.insufficientQuota, "The content has \(size) bytes; at most \(limit) are taken.")
        }
        return try read(at: 0, count: size)
    }
}
