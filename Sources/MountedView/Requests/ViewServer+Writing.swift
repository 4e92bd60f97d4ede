import CLinux
import Documents
import FileSystemMessages
import Glibc

extension ViewServer {
    // MARK: Content

    func openForWriting(
        _ node: UInt64, flags: CInt, by caller: KernelRequest.Caller, for unique: UInt64
    ) -> Answer {
        let isEmptied = flags & CLINUX_O_TRUNC != 0
        let reads = flags & CLINUX_O_ACCMODE == CLINUX_O_RDWR
        return .later(contentPatience) { [self] in
            await Self.reply {
                // Only a document that is emptied needs no content.
                var asking: AskingProgram?
                if !isEmptied {
                    switch await self.admission(to: node, of: caller) {
                    case .refused(let reply): return reply
                    case .admitted(let program): asking = program
                    }
                }
                let draft = self.enterDraft(of: node)
                draft.asking = asking
                do {
                    if isEmptied {
                        try await draft.prepare(isEmptied: true)
                        // Others may have written to it already.
                        if let result = draft.truncate(to: 0), result != 0 { return .error(-result) }
                        self.tree.wrote(node, size: 0)
                    }
                    var file = draft.file
                    if reads, file == nil {
                        let content = try await self.openContent(of: node, for: asking)
                        draft.opened(content)
                        file = content
                    }
                    return .opened(
                        .init(handle: self.handles.add(node: node, file: file, isWriter: true, for: unique)))
                } catch {
                    self.leaveDraft(of: node)
                    throw error
                }
            }
        }
    }

    func write(_ handle: UInt64, _ offset: UInt64, _ data: UnsafeRawBufferPointer) -> Answer {
        guard let open = handles.file(handle), open.isWriter, let position = Int64(exactly: offset),
            let draft = drafts.draft(of: open.node)
        else { return .reply(.error(EBADF)) }
        if let count = draft.write(data, at: position) { return .reply(wrote(open.node, position, count)) }
        let bytes = Array(data)
        return .later(contentPatience) { [self] in
            await Self.reply {
                // Others may publish in between.
                for _ in 0..<100 {
                    try await draft.prepare(isEmptied: false)
                    if let count = bytes.withUnsafeBytes({ draft.write($0, at: position) }) {
                        return self.wrote(open.node, position, count)
                    }
                }
                return .error(EBUSY)
            }
        }
    }

    private func wrote(_ node: UInt64, _ position: Int64, _ count: Int) -> KernelReply {
        guard count >= 0 else { return .error(CInt(-count)) }
        tree.grew(node, to: UInt64(position) + UInt64(count))
        return .written(count)
    }

    /// Publishes what a program has written, when it closes or synchronises a file.
    ///
    /// - Parameter isClosing: whether a descriptor is closed, perhaps not the last one: the others may be about to
    ///   write to a document that was only emptied. It is published when the last one is closed.
    func publish(_ handle: UInt64, isClosing: Bool = false) -> Answer {
        guard let open = handles.file(handle), open.isWriter, let draft = drafts.draft(of: open.node), draft.isDirty,
            !(isClosing && draft.isOnlyEmptied)
        else { return .reply(.done) }
        return .later(contentPatience) {
            await Self.reply {
                try await draft.publish()
                return .done
            }
        }
    }

    func setAttributes(of node: UInt64, _ new: KernelRequest.NewAttributes) -> Answer {
        // Documents have one owner and no modes of their own. Programs set those of a new file to those of the old.
        if let user = new.user, user != getuid() { return .reply(.error(EPERM)) }
        if let group = new.group, group != getgid() { return .reply(.error(EPERM)) }
        let moment: FileTime? =
            switch new.modified {
            case .at(let time): time
            case .now: FileTime(ViewTree.now())
            case nil: nil
            }
        guard let size = new.size else {
            if let moment { drafts.draft(of: node)?.setModified(moment.interval) }
            if let moment { tree.setModified(node, moment) }
            return attributes(of: node)
        }
        guard tree.item(of: node)?.kind == .file, let size = Int64(exactly: size) else {
            return .reply(.error(EINVAL))
        }
        return .later(contentPatience) { [self] in
            await Self.reply {
                let isOpen = new.handle != nil && self.drafts.draft(of: node) != nil
                let draft = self.enterDraft(of: node)
                defer { self.leaveDraft(of: node) }
                try await draft.prepare(isEmptied: size == 0)
                guard let result = draft.truncate(to: size) else { return .error(EIO) }
                // Longer than a file can be here, for example.
                guard result == 0 else { return .error(-result) }
                self.tree.wrote(node, size: UInt64(size))
                if !isOpen { try await draft.publish() }
                guard let attributes = self.tree.attributes(of: node) else { return .error(ESTALE) }
                return .attributes(attributes, validity: self.tree.validity)
            }
        }
    }
}
