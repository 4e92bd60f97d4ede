import CLinux
public import FoundationEssentials

/// What the file system knows about a file: enough to identify it and to see whether it has changed.
public struct LocalFileFacts: Hashable, Sendable {
    /// What kind of file it is.
    public enum Kind: Hashable, Sendable {
        /// A regular file.
        case file
        /// A directory.
        case folder
        /// A symbolic link, a FIFO, a socket or a device.
        case other
    }

    /// What kind of file it is.
    public let kind: Kind
    /// Whether it is a symbolic link. Its ``kind`` is ``Kind/other``.
    public let isSymbolicLink: Bool
    /// The device that it is stored on.
    public let device: UInt64
    /// Its inode number on the device.
    public let inode: UInt64
    /// When it was created, in nanoseconds since 1970; 0 where the file system does not record it.
    public let birth: Int64
    /// Its size in bytes.
    public let size: Int
    /// When its content was last changed, in nanoseconds since 1970.
    public let modified: Int64
    /// When its content or metadata was last changed, in nanoseconds since 1970.
    public let changed: Int64
    /// Permission bits.
    public let permissions: UInt32
    /// The number of its hard links.
    public let links: Int
    /// The user identifier of its owner.
    public let owner: UInt32
    /// The identifier of its group.
    public let group: UInt32

    /// The facts of an open file.
    ///
    /// - Throws: ``FileProviderError``.
    public init(descriptor: CInt) throws {
        var stat = clinux_stat()
        do {
            try SystemFailure.check(clinux_stat_fd(descriptor, &stat), "look at a file")
        } catch {
            throw error.providerError
        }
        self.init(stat)
    }

    /// The facts of a name in a directory; a link is not followed.
    ///
    /// - Throws: ``FileProviderError``, with ``FileProviderError/Code/noSuchItem`` if there is no such name.
    public init(directory: CInt, name: LocalName) throws {
        var stat = clinux_stat()
        do {
            try SystemFailure.check(
                name.withCString { clinux_stat_at(directory, $0, &stat) }, "look at \"\(name.displayed)\"")
        } catch {
            throw error.providerError
        }
        self.init(stat)
    }

    init(_ stat: clinux_stat) {
        kind =
            clinux_is_regular(stat.mode) != 0 ? .file : clinux_is_directory(stat.mode) != 0 ? .folder : .other
        isSymbolicLink = clinux_is_link(stat.mode) != 0
        device = stat.device
        inode = stat.inode
        birth = stat.has_born == 0 ? 0 : Self.nanoseconds(stat.born_seconds, stat.born_nanoseconds)
        size = Int(clamping: stat.size)
        modified = Self.nanoseconds(stat.modified_seconds, stat.modified_nanoseconds)
        changed = Self.nanoseconds(stat.changed_seconds, stat.changed_nanoseconds)
        permissions = stat.mode & 0o7777
        links = Int(stat.links)
        owner = stat.owner
        group = stat.group
    }

    // A file can carry times far outside the range: wrapping keeps them distinct without a trap.
    private static func nanoseconds(_ seconds: Int64, _ rest: UInt32) -> Int64 {
        seconds &* 1_000_000_000 &+ Int64(rest)
    }

    /// When its content was last changed.
    public var modificationDate: Date { Date(timeIntervalSince1970: Double(modified) / 1e9) }
    /// When it was created, where the file system records it.
    public var creationDate: Date? { birth == 0 ? nil : Date(timeIntervalSince1970: Double(birth) / 1e9) }

    /// The version of the content: inode, size, and both times.
    public var version: ItemVersion {
        ItemVersion(content: Base36.text(.init(inode), .init(size), .init(modified), .init(changed)))
    }

    /// Whether both are the same file with the same content, regardless of renames in between.
    public func hasSameContent(as other: LocalFileFacts) -> Bool {
        device == other.device && inode == other.inode && size == other.size && modified == other.modified
    }
}

extension ItemVersion {
    /// Whether two values of ``LocalFileFacts/version`` stand for the same file with the same content, regardless of
    /// renames in between.
    public func hasSameContent(as other: ItemVersion) -> Bool {
        let own = content.split(separator: ".")
        let others = other.content.split(separator: ".")
        return own.count == 4 && others.count == 4 && own.prefix(3) == others.prefix(3)
    }
}
