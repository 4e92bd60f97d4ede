import CFUSE

/// A part of a listing, as large as the kernel has room for.
package struct DirectoryPage: Sendable {
    /// An entry of a folder.
    package struct Entry: Sendable, Hashable {
        package var name: String
        package var inode: UInt64
        package var kind: NodeAttributes.Kind
        /// Where a listing goes on after this entry; not 0.
        package var next: UInt64

        package init(name: String, inode: UInt64, kind: NodeAttributes.Kind, next: UInt64) {
            self.name = name
            self.inode = inode
            self.kind = kind
            self.next = next
        }
    }

    /// The entries that were added, as the kernel reads them.
    package private(set) var bytes: [UInt8] = []
    private let room: Int

    /// - Parameter room: in bytes.
    package init(room: Int) {
        self.room = room
        bytes.reserveCapacity(min(room, 1 << 20))
    }

    /// Adds an entry without attributes.
    ///
    /// - Returns: whether there was room.
    package mutating func append(_ entry: Entry) -> Bool { append(entry, nil, withAttributes: false) }

    /// Adds an entry with attributes. With a node, the kernel counts a look-up of it; without one, it will ask.
    ///
    /// - Returns: whether there was room.
    package mutating func append(_ entry: Entry, _ node: FoundNode?) -> Bool {
        append(entry, node, withAttributes: true)
    }

    /// Whether there is room for an entry with attributes.
    package func hasRoom(for entry: Entry) -> Bool { bytes.count + Self.size(entry, withAttributes: true) <= room }

    private static func size(_ entry: Entry, withAttributes: Bool) -> Int {
        let start = withAttributes ? MemoryLayout<fuse_entry_out>.size : 0
        return (start + Int(CFUSE_NAME_OFFSET) + entry.name.utf8.count + 7) & ~7
    }

    private mutating func append(_ entry: Entry, _ node: FoundNode?, withAttributes: Bool) -> Bool {
        let length = entry.name.utf8.count
        let start = bytes.count
        let size = Self.size(entry, withAttributes: withAttributes)
        guard bytes.count + size <= room else { return false }
        if withAttributes {
            withUnsafeBytes(of: node?.wire ?? fuse_entry_out()) { bytes.append(contentsOf: $0) }
        }
        var head = fuse_dirent()
        head.ino = entry.inode
        head.off = entry.next
        head.namelen = UInt32(length)
        head.type = entry.kind.mode >> 12
        withUnsafeBytes(of: head) { bytes.append(contentsOf: $0.prefix(Int(CFUSE_NAME_OFFSET))) }
        bytes += Array(entry.name.utf8)
        bytes += [UInt8](repeating: 0, count: start + size - bytes.count)
        return true
    }
}
