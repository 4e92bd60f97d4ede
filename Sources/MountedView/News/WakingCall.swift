import FileSystemMessages

/// A system call that this process makes in its own mount, so that the kernel tells programs which watch a folder. It
/// changes nothing: its requests are answered as if it had been done.
enum WakingCall: Sendable, Hashable {
    /// A name has appeared. It already leads to the node.
    case create(folder: UInt64, name: EntryName, node: UInt64)
    /// A name has gone. The call finds something that has no other name.
    case remove(folder: UInt64, name: EntryName, phantom: UInt64, attributes: NodeAttributes)
    /// The content of a node has changed, or what a name leads to: then programs may still watch the old one.
    case change(folder: UInt64, name: EntryName, node: UInt64, old: UInt64?)

    /// The handle of files that it opens. No other has this number.
    static let handle = UInt64.max

    /// The answer to a request of the call; nil if it is one like any other.
    func answer(to request: KernelRequest, _ tree: ViewTree) -> KernelReply? {
        switch (self, request.operation) {
        case (.create(let folder, let name, _), .lookUp(let asked)):
            // The kernel creates only what it does not find.
            return isAbout(folder, name, request.node, asked) ? .missing(validity: .zero) : nil
        case (.create(let folder, let name, let node), .makeNode(let asked, _)),
            (.create(let folder, let name, let node), .makeFolder(let asked, _)),
            (.create(let folder, let name, let node), .makeSymbolicLink(let asked)):
            guard isAbout(folder, name, request.node, asked) else { return nil }
            return tree.lookUp(node).map(KernelReply.found) ?? .error(Self.gone)
        case (.remove(let folder, let name, let phantom, let attributes), .lookUp(let asked)):
            guard isAbout(folder, name, request.node, asked) else { return nil }
            return .found(FoundNode(node: phantom, attributes: attributes, validity: .zero))
        case (.remove(_, _, let phantom, let attributes), .attributes) where request.node == phantom:
            return .attributes(attributes, validity: .zero)
        case (.remove(let folder, let name, _, _), .remove(let asked)),
            (.remove(let folder, let name, _, _), .removeFolder(let asked)):
            return isAbout(folder, name, request.node, asked) ? .done : nil
        case (.change(let folder, let name, let node, let old), .lookUp(let asked)):
            guard isAbout(folder, name, request.node, asked) else { return nil }
            // The kernel forgets what nobody watches or has open.
            guard var found = old.flatMap({ tree.lookUp($0) }) ?? tree.lookUp(node) else { return .error(Self.gone) }
            found.validity = .zero
            return .found(found)
        case (.create(_, _, let node), .open) where request.node == node:
            return .opened(Self.opened)
        case (.change(_, _, let node, let old), .open) where request.node == node || request.node == old:
            return .opened(Self.opened)
        case (.change(_, _, let node, let old), .setAttributes) where request.node == node || request.node == old:
            return tree.attributes(of: request.node).map { .attributes($0, validity: .zero) } ?? .error(Self.gone)
        // Nothing else is changed by this thread.
        case (_, .makeNode), (_, .makeFolder), (_, .makeSymbolicLink), (_, .remove), (_, .removeFolder), (_, .rename),
            (_, .setAttributes), (_, .create), (_, .open):
            return .error(Self.gone)
        default: return nil
        }
    }

    private static let opened = KernelReply.OpenedFile(handle: handle, keepsContent: true, needsNoFlush: true)
    // ESTALE
    private static let gone: CInt = 116

    private func isAbout(_ folder: UInt64, _ name: EntryName, _ node: UInt64, _ asked: String?) -> Bool {
        node == folder && asked.map { EntryName($0) == name } ?? false
    }
}
