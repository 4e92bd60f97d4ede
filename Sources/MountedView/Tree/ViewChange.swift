package import FileSystemMessages

/// A difference between what the kernel may remember and what is so now.
package enum ViewChange: Sendable, Hashable {
    /// The content of a node.
    case content(node: UInt64)
    /// What `stat` shows of it.
    case attributes(node: UInt64)
    /// A name leads to something, or to something else.
    case appeared(parent: UInt64, name: String)
    /// A name leads to nothing any more.
    case removed(parent: UInt64, node: UInt64, name: String)

    package var notification: KernelNotification {
        switch self {
        case .content(let node): .changed(node: node)
        case .attributes(let node): .attributesChanged(node: node)
        case .appeared(let parent, let name): .renamed(parent: parent, name: name)
        case .removed(let parent, let node, let name): .removed(parent: parent, node: node, name: name)
        }
    }
}
