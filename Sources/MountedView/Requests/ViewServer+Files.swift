import CLinux
import Documents
import FileSystemMessages
import Glibc

extension ViewServer {
    func open(_ node: UInt64, _ flags: UInt32, by caller: KernelRequest.Caller) -> Answer {
        guard let item = tree.item(of: node), item.kind == .file else { return .reply(.error(EISDIR)) }
        let flags = CInt(truncatingIfNeeded: flags)
        guard flags & CLINUX_O_ACCMODE == CLINUX_O_RDONLY, flags & CLINUX_O_TRUNC == 0 else {
            return openForWriting(node, flags: flags, by: caller)
        }
        if let file = drafts.draft(of: node)?.file { return .reply(opened(node, file)) }
        if let file = documents.reopen(node) { return .reply(opened(node, file)) }
        return .later(contentPatience) { [self] in
            await Self.reply {
                switch await self.admission(to: node, of: caller) {
                case .refused(let reply): return reply
                case .admitted(let asking):
                    return self.opened(node, try await self.openContent(of: node, for: asking))
                }
            }
        }
    }

    private func opened(_ node: UInt64, _ file: OpenHandles.OpenFile) -> KernelReply {
        let descriptor = file.descriptor
        let isUnchanged = documents.isUnchanged(node, descriptor)
        // Before the program reads: it would see the end where it was.
        if !isUnchanged, let stamp = OpenDocuments.Stamp(of: descriptor), tree.correct(node, size: stamp.size) {
            channel.send(KernelNotification.attributesChanged(node: node).message)
        }
        return .opened(
            .init(
                handle: handles.add(node: node, file: file, isWriter: false), keepsContent: isUnchanged,
                needsNoFlush: true))
    }

    func read(_ handle: UInt64, _ offset: UInt64, _ count: Int) -> Answer {
        guard let open = handles.file(handle) else { return .reply(.error(EBADF)) }
        // What a program has written, all others see.
        guard let file = drafts.draft(of: open.node)?.file ?? open.file else { return .reply(.error(EBADF)) }
        guard count <= Negotiation.largestTransfer else { return .reply(.error(EINVAL)) }
        return .content(file, offset: offset, count: count)
    }
}
