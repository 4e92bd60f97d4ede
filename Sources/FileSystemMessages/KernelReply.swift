import CFUSE

/// The answer to a request.
package enum KernelReply: Sendable, Equatable {
    /// It failed with this errno.
    case error(CInt)
    /// It is done.
    case done
    case found(FoundNode)
    /// There is no such name, and the kernel may say so by itself for a while.
    case missing(validity: Duration)
    case attributes(NodeAttributes, validity: Duration)
    case opened(OpenedFile)
    case created(FoundNode, OpenedFile)
    case bytes([UInt8])
    /// So many bytes were written.
    case written(Int)
    case statistics(FileSystemStatistics)
    /// The size of an extended attribute or of the list of their names, in bytes.
    case size(Int)
    case offset(UInt64)
    case initialized(Negotiation.Agreement)

    /// An open file or folder.
    package struct OpenedFile: Sendable, Hashable {
        /// The number by which the kernel refers to it.
        package var handle: UInt64
        /// Whether the kernel may go on using what it remembers of the content.
        package var keepsContent: Bool
        /// Whether the kernel may remember the entries of the folder.
        package var remembersEntries: Bool
        /// Whether the kernel need not report that a program has closed it: nothing depends on it.
        package var needsNoFlush: Bool
        /// Whether nothing is remembered: each read and write is a request.
        package var isDirect: Bool

        package init(
            handle: UInt64, keepsContent: Bool = false, remembersEntries: Bool = false,
            needsNoFlush: Bool = false, isDirect: Bool = false
        ) {
            self.needsNoFlush = needsNoFlush
            self.handle = handle
            self.keepsContent = keepsContent
            self.remembersEntries = remembersEntries
            self.isDirect = isDirect
        }

        var wire: fuse_open_out {
            var result = fuse_open_out()
            result.fh = handle
            let flags =
                (keepsContent ? FOPEN_KEEP_CACHE : 0) | (remembersEntries ? FOPEN_CACHE_DIR : 0)
                | (isDirect ? FOPEN_DIRECT_IO : 0) | (needsNoFlush ? FOPEN_NOFLUSH : 0)
            result.open_flags = UInt32(flags)
            return result
        }
    }

    /// The message.
    ///
    /// - Parameter unique: names the request.
    package func message(to unique: UInt64) -> [UInt8] {
        var message = KernelMessageWriter(to: unique)
        switch self {
        case .error(let number): message.error = -number
        case .done: break
        case .found(let node): message.append(node.wire)
        case .missing(let validity):
            var entry = fuse_entry_out()
            (entry.entry_valid, entry.entry_valid_nsec) = validity.parts
            message.append(entry)
        case .attributes(let attributes, let validity):
            var result = fuse_attr_out()
            (result.attr_valid, result.attr_valid_nsec) = validity.parts
            result.attr = attributes.wire
            message.append(result)
        case .opened(let file): message.append(file.wire)
        case .created(let node, let file):
            message.append(node.wire)
            message.append(file.wire)
        case .bytes(let bytes): message.append(bytes)
        case .written(let count): message.append(fuse_write_out(size: UInt32(count), padding: 0))
        case .statistics(let statistics): message.append(statistics.wire)
        case .size(let count): message.append(fuse_getxattr_out(size: UInt32(count), padding: 0))
        case .offset(let offset): message.append(fuse_lseek_out(offset: offset))
        case .initialized(let agreement): message.append(agreement.wire)
        }
        return message.finished()
    }

    /// What precedes this many bytes of content in a reply.
    package static func header(to unique: UInt64, count: Int) -> [UInt8] {
        KernelMessageWriter(to: unique).finished(following: count)
    }

    /// The size of ``header(to:count:)``.
    package static let headerSize = MemoryLayout<fuse_out_header>.size
}

/// The space of a file system.
package struct FileSystemStatistics: Sendable, Hashable {
    /// The whole space, in bytes.
    package var total: UInt64
    /// The free space, in bytes.
    package var free: UInt64

    package init(total: UInt64, free: UInt64) {
        self.total = total
        self.free = free
    }

    var wire: fuse_statfs_out {
        var result = fuse_statfs_out()
        result.st.bsize = 4096
        result.st.frsize = 4096
        result.st.blocks = total / 4096
        result.st.bfree = free / 4096
        result.st.bavail = free / 4096
        result.st.namelen = 255
        return result
    }
}
