import CLinux
import Documents
import FileSystemMessages
import Glibc

extension ViewServer {
    func open(_ node: UInt64, _ flags: UInt32, by caller: KernelRequest.Caller, for unique: UInt64) -> Answer {
        guard let item = tree.item(of: node), item.kind == .file else { return .reply(.error(EISDIR)) }
        let flags = CInt(truncatingIfNeeded: flags)
        guard flags & CLINUX_O_ACCMODE == CLINUX_O_RDONLY, flags & CLINUX_O_TRUNC == 0 else {
            return openForWriting(node, flags: flags, by: caller, for: unique)
        }
        if let file = drafts.draft(of: node)?.file { return .reply(opened(node, file, unique)) }
        if let file = documents.reopen(node) { return .reply(opened(node, file, unique)) }
        return .later(contentPatience) { [self] in
            await Self.reply {
                switch await self.admission(to: node, of: caller) {
                case .refused(let reply): return reply
                case .admitted(let asking):
                    return self.opened(
                        node, try await self.openContent(of: node, for: asking, mayBePartial: true), unique)
                }
            }
        }
    }

    private func opened(_ node: UInt64, _ file: OpenHandles.OpenFile, _ unique: UInt64) -> KernelReply {
        let descriptor = file.descriptor
        let isUnchanged = documents.isUnchanged(node, descriptor)
        // Before the program reads: it would see the end where it was.
        if !isUnchanged, let stamp = OpenDocuments.Stamp(of: descriptor), tree.correct(node, size: stamp.size) {
            channel.send(KernelNotification.attributesChanged(node: node).message)
        }
        return .opened(
            .init(
                handle: handles.add(node: node, file: file, isWriter: false, for: unique), keepsContent: isUnchanged,
                needsNoFlush: true))
    }

    func read(_ handle: UInt64, _ offset: UInt64, _ count: Int) -> Answer {
        guard let open = handles.file(handle) else { return .reply(.error(EBADF)) }
        // What a program has written, all others see.
        guard let file = drafts.draft(of: open.node)?.file ?? open.file else { return .reply(.error(EBADF)) }
        guard count <= Negotiation.largestTransfer else { return .reply(.error(EINVAL)) }
        guard let reading = file.reading, let start = Int(exactly: offset) else {
            return .content(file, offset: offset, count: count)
        }
        let (end, isTooLarge) = start.addingReportingOverflow(count)
        guard !isTooLarge else { return .reply(.error(EINVAL)) }
        if reading.isHere(start..<end) { return .content(file, offset: offset, count: count) }
        return .later(contentPatience) {
            await Self.reply {
                do throws(DocumentsError) {
                    try await reading.fetch(start..<end)
                } catch {
                    // Another version has taken its place: what was read so far does not belong to it.
                    if error.code == .conflict { return .error(ESTALE) }
                    throw error
                }
                return Self.part(of: file, start..<end)
            }
        }
    }

    // It is in the file, mostly in memory still.
    private static func part(of file: OpenHandles.OpenFile, _ range: Range<Int>) -> KernelReply {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map {
                    clinux_pread(file.descriptor, $0 + done, buffer.count - done, Int64(range.lowerBound + done))
                } ?? 0
            }
            if count == 0 { break }
            guard count > 0 else { return .error(CInt(-count)) }
            done += count
        }
        return .bytes(done == bytes.count ? bytes : Array(bytes.prefix(done)))
    }
}
