import CLinux

/// The identity of a file while it exists: device, inode and birth time.
package struct FileIdentity: Hashable, Sendable, Codable {
    /// The number of the device that holds the file system.
    package let device: UInt64
    /// The inode number on the device. It may be reused after the file is gone, hence the birth time.
    package let inode: UInt64
    /// Birth time in nanoseconds since 1970; 0 if the file system does not record it.
    package let born: Int64
}

/// The result of one `statx` call.
package struct FileStatus: Hashable, Sendable {
    /// The type of file.
    package enum Kind: Hashable, Sendable {
        case regular, directory, symbolicLink, other
    }

    /// The identity of the file.
    package let identity: FileIdentity
    /// The type of file.
    package let kind: Kind
    /// The size in bytes.
    package let size: UInt64
    /// Time of the last change of content, nanoseconds since 1970.
    package let modified: Int64
    /// Time of the last change of content or attributes, nanoseconds since 1970.
    package let changed: Int64
    /// Permission bits, without the type.
    package let mode: UInt32
    /// The number of names that the file has; 0 when it is unlinked.
    package let links: UInt32
    /// User id of the owner.
    package let owner: UInt32
    /// Group id.
    package let group: UInt32

    /// Queries an open file.
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

    /// The stamp of a base version, for comparison with the file that a publication displaced.
    package var stamp: FileStamp {
        FileStamp(identity: identity, size: size, modified: modified)
    }

    /// Whether the content cannot have changed between the two status queries.
    package func sameContent(as other: FileStatus) -> Bool {
        stamp == other.stamp && changed == other.changed
    }

    // A hostile file system may report any number of seconds.
    private static func nanoseconds(_ seconds: Int64, _ rest: UInt32) -> Int64 {
        seconds &* 1_000_000_000 &+ Int64(rest)
    }
}

/// The state of a file when it was the base of a change.
///
/// It does not contain the change time: exchanging two names sets it (on ext4, xfs and btrfs), so it cannot be compared
/// afterwards.
package struct FileStamp: Hashable, Sendable, Codable {
    /// The identity of the file.
    package let identity: FileIdentity
    /// The size in bytes.
    package let size: UInt64
    /// Time of the last change of content, nanoseconds since 1970.
    package let modified: Int64
}
