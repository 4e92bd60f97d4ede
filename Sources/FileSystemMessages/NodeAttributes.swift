import CFUSE

/// What `stat` shows of a node.
package struct NodeAttributes: Sendable, Hashable {
    /// What a node is.
    package enum Kind: Sendable, Hashable {
        case file, folder, symbolicLink

        /// The type as a mode has it.
        package var mode: UInt32 {
            switch self {
            case .file: 0o100000
            case .folder: 0o040000
            case .symbolicLink: 0o120000
            }
        }
    }

    /// The number that programs see, the same for the same document at all times.
    package var inode: UInt64
    package var kind: Kind
    /// The twelve bits of permissions.
    package var permissions: UInt32
    /// In bytes.
    package var size: UInt64
    /// The space it uses on this machine, in bytes.
    package var allocated: UInt64
    package var modified: FileTime
    package var user: UInt32
    package var group: UInt32
    /// Whether no name leads to it any more.
    package var isRemoved = false

    package init(
        inode: UInt64, kind: Kind, permissions: UInt32, size: UInt64, allocated: UInt64, modified: FileTime,
        user: UInt32, group: UInt32
    ) {
        self.inode = inode
        self.kind = kind
        self.permissions = permissions
        self.size = size
        self.allocated = allocated
        self.modified = modified
        self.user = user
        self.group = group
    }

    var wire: fuse_attr {
        var result = fuse_attr()
        result.ino = inode
        result.mode = kind.mode | permissions
        result.size = size
        result.blocks = allocated / 512 + (allocated % 512 == 0 ? 0 : 1)
        result.mtime = UInt64(bitPattern: modified.seconds)
        result.mtimensec = modified.nanoseconds
        (result.atime, result.atimensec) = (result.mtime, result.mtimensec)
        (result.ctime, result.ctimensec) = (result.mtime, result.mtimensec)
        // The number of folders in a folder is not known: 1 tells programs so.
        result.nlink = isRemoved ? 0 : 1
        result.uid = user
        result.gid = group
        result.blksize = 4096
        return result
    }
}

/// A node as the answer to a look-up.
package struct FoundNode: Sendable, Hashable {
    /// The number by which the kernel asks for it from now on.
    package var node: UInt64
    package var attributes: NodeAttributes
    /// How long the kernel may answer by itself.
    package var validity: Duration

    package init(node: UInt64, attributes: NodeAttributes, validity: Duration) {
        self.node = node
        self.attributes = attributes
        self.validity = validity
    }

    var wire: fuse_entry_out {
        var result = fuse_entry_out()
        result.nodeid = node
        result.generation = 1
        (result.entry_valid, result.entry_valid_nsec) = validity.parts
        (result.attr_valid, result.attr_valid_nsec) = validity.parts
        result.attr = attributes.wire
        return result
    }
}

extension Duration {
    /// Whole seconds and the nanoseconds beyond; 0 for less than nothing.
    var parts: (UInt64, UInt32) {
        guard self > .zero else { return (0, 0) }
        return (UInt64(components.seconds), UInt32(components.attoseconds / 1_000_000_000))
    }
}
