import CLinux

/// Which file it is, for as long as it exists: (device, inode, birth time) (W, In place).
package struct FileIdentity: Hashable, Sendable, Codable {
    /// The number of the device that holds the file system.
    package let device: UInt64
    /// The inode number on it. Reused after the file is gone, hence the birth time.
    package let inode: UInt64
    /// Birth time in nanoseconds since 1970, 0 where the file system keeps none.
    package let born: Int64
}

/// What one `statx` told about a file.
package struct FileStatus: Hashable, Sendable {
    /// What kind of thing has the name.
    package enum Kind: Hashable, Sendable {
        case regular, directory, symbolicLink, other
    }

    /// Which file it is.
    package let identity: FileIdentity
    /// What kind of thing it is.
    package let kind: Kind
    /// Bytes.
    package let size: UInt64
    /// Time of the last change of content, nanoseconds since 1970.
    package let modified: Int64
    /// Time of the last change of content or attributes, nanoseconds since 1970.
    package let changed: Int64
    /// Permission bits, without the type.
    package let mode: UInt32
    /// Names that the file has; 0 when it is unlinked.
    package let links: UInt32
    /// User id of the owner.
    package let owner: UInt32
    /// Group id.
    package let group: UInt32

    /// Asks about an open file.
    package init(of descriptor: Int32) throws {
        var raw = clinux_stat()
        try checked(clinux_stat_fd(descriptor, &raw), "examine the file")
        self.init(raw)
    }

    init(_ raw: clinux_stat) {
        identity = FileIdentity(
            device: raw.device, inode: raw.inode,
            born: raw.has_born == 1 ? Self.nanoseconds(raw.born_seconds, raw.born_nanoseconds) : 0)
        if clinux_is_regular(raw.mode) != 0 {
            kind = .regular
        } else if clinux_is_directory(raw.mode) != 0 {
            kind = .directory
        } else {
            kind = clinux_is_link(raw.mode) != 0 ? .symbolicLink : .other
        }
        size = raw.size
        modified = Self.nanoseconds(raw.modified_seconds, raw.modified_nanoseconds)
        changed = Self.nanoseconds(raw.changed_seconds, raw.changed_nanoseconds)
        mode = raw.mode & 0o7777
        links = raw.links
        owner = raw.owner
        group = raw.group
    }

    /// What a base version looked like, to be compared with what a publish displaced.
    package var stamp: FileStamp {
        FileStamp(identity: identity, size: size, modified: modified)
    }

    /// Whether the content cannot have changed between the two looks.
    package func sameContent(as other: FileStatus) -> Bool {
        stamp == other.stamp && changed == other.changed
    }

    // A hostile file system may report any number of seconds.
    private static func nanoseconds(_ seconds: Int64, _ rest: UInt32) -> Int64 {
        seconds &* 1_000_000_000 &+ Int64(rest)
    }
}

/// What a file looked like when it was the base of a change.
///
/// Without the change time: exchanging two names sets it (on ext4, xfs and btrfs), so it cannot be compared afterwards.
package struct FileStamp: Hashable, Sendable, Codable {
    /// Which file it was.
    package let identity: FileIdentity
    /// Bytes.
    package let size: UInt64
    /// Time of the last change of content, nanoseconds since 1970.
    package let modified: Int64
}
