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

    // MARK: Extended attributes

    private static let attributeNames = [
        "identifier", "provider", "domain", "location", "state", "version",
    ].map { "user.docent." + $0 }

    func extendedAttribute(_ name: String?, of node: UInt64, _ room: Int) -> KernelReply {
        guard let name, let value = value(of: name, node) else { return .error(ENODATA) }
        return Self.reply(Array(value.utf8), room)
    }

    func extendedAttributes(of node: UInt64, _ room: Int) -> KernelReply {
        let names = Self.attributeNames.filter { value(of: $0, node) != nil }
        return Self.reply(names.flatMap { Array($0.utf8) + [0] }, room)
    }

    private static func reply(_ bytes: [UInt8], _ room: Int) -> KernelReply {
        if room == 0 { return .size(bytes.count) }
        return bytes.count <= room ? .bytes(bytes) : .error(ERANGE)
    }

    private func value(of name: String, _ node: UInt64) -> String? {
        // A confined program does not see what is outside its sandbox.
        if node == KernelRequest.root {
            guard tree.contents == .accounts else { return nil }
            return switch name {
            case "user.docent.process": String(getpid())
            case "user.docent.socket": socket
            case "user.docent.refused": downloads.refused
            default: nil
            }
        }
        guard name.hasPrefix("user.docent."), let location = tree.location(of: node) else { return nil }
        let item = tree.item(of: node)
        return switch name.dropFirst("user.docent.".count) {
        case "identifier": item?.identifier
        case "provider": location.provider
        case "domain": location.domain.isEmpty ? nil : location.domain
        case "location": tree.contents == .accounts ? location.description : nil
        case "state": item.map { $0.kind == .file ? $0.isDownloaded ? "local" : "remote" : nil } ?? nil
        case "version": item?.version
        default: nil
        }
    }
}
