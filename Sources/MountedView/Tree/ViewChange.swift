package import FileSystemMessages

/// A difference between what the kernel may remember and what is so now.
package enum ViewChange: Sendable, Hashable {
    /// The content of a node.
    case content(node: UInt64)
    /// What `stat` shows of it.
    case attributes(node: UInt64)
    /// A name leads to something, and did not before, or to something else than a node.
    case appeared(parent: UInt64, name: String, replaced: UInt64?)
    /// A node has another place now, and its name there leads to nothing any more.
    case left(parent: UInt64, node: UInt64, name: String, kind: NodeAttributes.Kind)
    /// A node is gone, and its name leads to nothing any more.
    case removed(parent: UInt64, node: UInt64, name: String, kind: NodeAttributes.Kind)

    package var notification: KernelNotification {
        switch self {
        case .content(let node): .changed(node: node)
        case .attributes(let node): .attributesChanged(node: node)
        case .appeared(let parent, let name, _), .left(let parent, _, let name, _): .renamed(parent: parent, name: name)
        case .removed(let parent, let node, let name, _): .removed(parent: parent, node: node, name: name)
        }
    }
}
