import CLinux
public import FoundationEssentials

/// What the file system tells about a file: enough to say which file it is and whether it is still the same.
public struct LocalFileFacts: Hashable, Sendable {
    /// What kind of file it is.
    public enum Kind: Hashable, Sendable {
        /// A regular file.
        case file
        /// A directory.
        case folder
        /// A symbolic link, a FIFO, a socket, a device.
        case other
    }

    /// What kind of file it is.
    public let kind: Kind
    /// Whether it is a symbolic link, which is ``Kind/other`` to all who do not ask for links.
    public let isSymbolicLink: Bool
    /// The device that it lies on.
    public let device: UInt64
    /// Its number on the device.
    public let inode: UInt64
    /// When it was made, in nanoseconds since 1970; 0 where the file system does not record it.
    public let birth: Int64
    /// Its size in bytes.
    public let size: Int
    /// When its content was changed last, in nanoseconds since 1970.
    public let modified: Int64
    /// When its content or description was changed last, in nanoseconds since 1970.
    public let changed: Int64
    /// Permission bits.
    public let permissions: UInt32
    /// How many names it has.
    public let links: Int
    /// The user that it belongs to.
    public let owner: UInt32
    /// The group that it belongs to.
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
                name.withCString { clinux_stat_at(directory, $0, &stat) }, "look at “\(name.displayed)”")
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

    // Times far out are possible on disk; wrapping keeps them different without a trap.
    private static func nanoseconds(_ seconds: Int64, _ rest: UInt32) -> Int64 {
        seconds &* 1_000_000_000 &+ Int64(rest)
    }

    /// When its content was changed last.
    public var modificationDate: Date { Date(timeIntervalSince1970: Double(modified) / 1e9) }
    /// When it was made, where the file system records it.
    public var creationDate: Date? { birth == 0 ? nil : Date(timeIntervalSince1970: Double(birth) / 1e9) }

    /// The version of the content: inode, size, and both times.
    public var version: ItemVersion {
        ItemVersion(
            content: [
                String(inode, radix: 36), String(size, radix: 36), String(modified, radix: 36),
                String(changed, radix: 36),
            ].joined(separator: "."))
    }

    /// Whether the two are the same file with the same content, whatever was done to its names meanwhile.
    public func hasSameContent(as other: LocalFileFacts) -> Bool {
        device == other.device && inode == other.inode && size == other.size && modified == other.modified
    }
}

extension ItemVersion {
    /// Whether two versions of ``LocalFileFacts/version`` mean the same file with the same content, though its names
    /// were changed between.
    public func hasSameContent(as other: ItemVersion) -> Bool {
        let own = content.split(separator: ".")
        let others = other.content.split(separator: ".")
        return own.count == 4 && others.count == 4 && own.prefix(3) == others.prefix(3)
    }
}
