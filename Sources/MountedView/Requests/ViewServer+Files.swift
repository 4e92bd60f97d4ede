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

    func read(_ handle: UInt64, of node: UInt64, _ offset: UInt64, _ count: Int) -> Answer {
        guard count <= Negotiation.largestTransfer, let start = Int(exactly: offset), start <= Int.max - count else {
            return .reply(.error(EINVAL))
        }
        let range = start..<start + count
        guard let open = handles.file(handle) else {
            guard handles.mayBeFormer(handle) else { return .reply(.error(EBADF)) }
            return .later(contentPatience) { [self] in
                await Self.part(range) { () async throws in try await self.openFormer(handle, node) }
            }
        }
        // What a program has written, all others see.
        guard let file = drafts.draft(of: open.node)?.file ?? open.file else { return .reply(.error(EBADF)) }
        if file.reading?.isHere(range) ?? true { return .content(file, offset: offset, count: count) }
        return .later(contentPatience) { await Self.part(range) { file } }
    }

    /// Opens a file again that an earlier server of the mount had opened a moment before its end.
    ///
    /// - Throws: ``DocumentsError``: `conflict`, if it may have another content since.
    private func openFormer(_ handle: UInt64, _ node: UInt64) async throws -> OpenHandles.OpenFile {
        let known = tree.item(of: node)
        let file = try await openContent(of: node, mayBePartial: true)
        let isSame = known?.version != nil && file.version == known?.version
        guard isSame || known?.isLocal == true || drafts.draft(of: node)?.file === file else {
            throw DocumentsError(.conflict, "The document was changed while it was read.")
        }
        handles.adopt(handle, node: node, file: file)
        return file
    }

    // Waits for a part of a file, and reads it.
    private static func part(
        _ range: Range<Int>, _ file: () async throws -> OpenHandles.OpenFile
    ) async -> KernelReply {
        await reply {
            do {
                let file = try await file()
                try await file.reading?.fetch(range)
                return part(of: file, range)
            } catch let error as DocumentsError where error.code == .conflict {
                // Another version has taken its place: what was read so far does not belong to it.
                return .error(ESTALE)
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
