import CFUSE

/// What the file system tells the kernel without being asked.
package enum KernelNotification: Sendable, Equatable {
    /// The attributes of a node are out of date, and its content too.
    case changed(node: UInt64)
    /// Only the attributes are.
    case attributesChanged(node: UInt64)
    /// A name of a folder leads elsewhere, or nowhere.
    case renamed(parent: UInt64, name: String)
    /// A node was removed.
    case removed(parent: UInt64, node: UInt64, name: String)
    /// Requests that were read by an earlier reader and not answered are wanted again.
    case repeatRequests

    /// The message.
    package var message: [UInt8] {
        var message = KernelMessageWriter(to: 0)
        switch self {
        case .changed(let node):
            message.error = Int32(FUSE_NOTIFY_INVAL_INODE.rawValue)
            message.append(fuse_notify_inval_inode_out(ino: node, off: 0, len: -1))
        case .attributesChanged(let node):
            message.error = Int32(FUSE_NOTIFY_INVAL_INODE.rawValue)
            message.append(fuse_notify_inval_inode_out(ino: node, off: -1, len: 0))
        case .renamed(let parent, let name):
            message.error = Int32(FUSE_NOTIFY_INVAL_ENTRY.rawValue)
            message.append(
                fuse_notify_inval_entry_out(parent: parent, namelen: UInt32(name.utf8.count), flags: 0))
            message.append(name: name)
        case .removed(let parent, let node, let name):
            message.error = Int32(FUSE_NOTIFY_DELETE.rawValue)
            message.append(
                fuse_notify_delete_out(
                    parent: parent, child: node, namelen: UInt32(name.utf8.count), padding: 0))
            message.append(name: name)
        case .repeatRequests: message.error = CFUSE_NOTIFY_RESEND
        }
        return message.finished()
    }
}
