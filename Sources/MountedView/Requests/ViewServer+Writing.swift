import CLinux
import Documents
import FileSystemMessages
import Glibc

extension ViewServer {
    // MARK: Content

    func openForWriting(_ node: UInt64, flags: CInt) -> Answer {
        let isEmptied = flags & CLINUX_O_TRUNC != 0
        let reads = flags & CLINUX_O_ACCMODE == CLINUX_O_RDWR
        return .later(contentPatience) { [self] in
            await Self.reply {
                let draft = self.enterDraft(of: node)
                do {
                    if isEmptied {
                        try await draft.prepare(isEmptied: true)
                        self.tree.wrote(node, size: 0)
                    }
                    var file = draft.file
                    if reads, file == nil { file = try await self.openContent(of: node) }
                    return .opened(.init(handle: self.handles.add(node: node, file: file, isWriter: true)))
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
    func publish(_ handle: UInt64) -> Answer {
        guard let open = handles.file(handle), open.isWriter, let draft = drafts.draft(of: open.node), draft.isDirty
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
                guard let result = draft.truncate(to: size), result == 0 else { return .error(EIO) }
                self.tree.wrote(node, size: UInt64(size))
                if !isOpen { try await draft.publish() }
                guard let attributes = self.tree.attributes(of: node) else { return .error(ESTALE) }
                return .attributes(attributes, validity: self.tree.validity)
            }
        }
    }

    // MARK: Names

    func create(_ name: String?, in folder: UInt64, flags: CInt) -> Answer {
        guard let name, isPossible(name), let location = tree.location(of: folder) else {
            return .reply(.error(refusal(of: name, folder)))
        }
        return .later(patience) { [self] in
            await Self.reply {
                guard let node = self.tree.begin(name, in: folder) else { return .error(EEXIST) }
                let draft = self.drafts.enter(node) {
                    self.makeDraft(of: node, creating: name, in: location)
                }
                do {
                    try await draft.prepare(isEmptied: true)
                } catch {
                    self.drafts.discard(node)
                    _ = self.tree.remove(name, from: folder)
                    throw error
                }
                guard let found = self.tree.lookUp(node) else { return .error(EIO) }
                let handle = self.handles.add(node: node, file: draft.file, isWriter: true)
                return .created(found, .init(handle: handle))
            }
        }
    }

    func makeFolder(_ name: String?, in folder: UInt64) -> Answer {
        guard let name, isPossible(name), let location = tree.location(of: folder) else {
            return .reply(.error(refusal(of: name, folder)))
        }
        return .later(patience) { [self] in
            await Self.reply {
                let item = try await self.source.makeFolder(name, in: location)
                guard let (node, changes) = self.tree.note(item, in: folder, at: .now) else { return .error(EIO) }
                self.news.send(changes)
                return .found(node)
            }
        }
    }

    func remove(_ name: String?, from folder: UInt64, isFolder: Bool) -> Answer {
        guard let name else { return .reply(.error(ENOENT)) }
        return .later(patience) { [self] in
            await Self.reply {
                guard let (node, location) = try await self.entry(name, folder) else { return .error(ENOENT) }
                guard let kind = self.tree.attributes(of: node)?.kind else { return .error(ENOENT) }
                guard (kind == .folder) == isFolder else { return .error(isFolder ? ENOTDIR : EISDIR) }
                if isFolder {
                    try await self.loads.load(node)
                    guard self.tree.entries(of: node)?.isEmpty ?? true else { return .error(ENOTEMPTY) }
                }
                if self.tree.isBegun(node) {
                    self.drafts.discard(node)
                } else {
                    guard let location else { return .error(EPERM) }
                    try await self.source.remove(location)
                }
                self.documents.forget(node)
                _ = self.tree.remove(name, from: folder)
                return .done
            }
        }
    }

    func rename(
        _ name: String?, _ folder: UInt64, _ newName: String?, _ newFolder: UInt64, flags: UInt32
    ) -> Answer {
        guard let name, let newName, isPossible(newName), let target = tree.location(of: newFolder) else {
            return .reply(.error(refusal(of: newName, newFolder)))
        }
        guard flags & ~CLINUX_RENAME_NOREPLACE == 0 else { return .reply(.error(EINVAL)) }
        return .later(contentPatience) { [self] in
            await Self.reply {
                guard let (node, location) = try await self.entry(name, folder) else { return .error(ENOENT) }
                // What is not published yet gets its content before its name.
                if let draft = self.drafts.draft(of: node) { try await draft.publish() }
                guard let location = self.tree.location(of: node) ?? location else { return .error(EPERM) }
                guard location.provider == target.provider, location.domain == target.domain else {
                    // Programs copy then.
                    return .error(EXDEV)
                }
                if let (other, _) = try await self.entry(newName, newFolder), other != node {
                    guard flags & CLINUX_RENAME_NOREPLACE == 0 else { return .error(EEXIST) }
                    return try await self.replace(other, newName, newFolder, with: node, name, folder)
                }
                let item = try await self.source.move(
                    location, to: folder == newFolder ? nil : target, named: name == newName ? nil : newName)
                guard let (_, changes) = self.tree.note(item, in: newFolder, at: .now) else { return .error(EIO) }
                self.tree.forgetLookUp(node)
                self.news.send(changes.filter { $0 != .appeared(parent: folder, name: name) })
                return .done
            }
        }
    }

    /// Gives a document the content of another, which is removed then: programs save in this way, and the document
    /// stays the same one, with its rights and versions.
    private func replace(
        _ other: UInt64, _ newName: String, _ newFolder: UInt64, with node: UInt64, _ name: String, _ folder: UInt64
    ) async throws -> KernelReply {
        guard let old = tree.attributes(of: other)?.kind, let new = tree.attributes(of: node)?.kind else {
            return .error(ENOENT)
        }
        guard old == .file, new == .file else { return .error(old == .folder ? EEXIST : ENOTDIR) }
        guard let place = tree.location(of: other), let source = tree.location(of: node) else { return .error(EPERM) }
        let content = try await openContent(of: node)
        let draft = try await self.source.edit(place, isEmptied: true)
        let item: ViewItem
        do {
            let descriptor = try draft.descriptor()
            defer { _ = clinux_close(descriptor) }
            try FileCopy.copy(from: content.descriptor, to: descriptor)
        } catch {
            await draft.abandon()
            throw error
        }
        item = try await draft.commit(modified: nil)
        try await self.source.remove(source)
        _ = tree.remove(name, from: folder)
        documents.forget(other)
        documents.forget(node)
        if let (_, changes) = tree.note(item, in: newFolder, at: .now) { news.send(changes) }
        return .done
    }

    // MARK: Parts

    /// The entry of a folder with a name, and its location; nil if there is none.
    private func entry(_ name: String, _ folder: UInt64) async throws -> (UInt64, DocumentLocation?)? {
        let node: UInt64?
        switch tree.lookUp(name, in: folder) {
        case .found(let found): node = found.node
        case .missing: node = nil
        case .unknown: node = try await loads.entry(name, of: folder)?.node
        }
        guard let node else { return nil }
        tree.forgetLookUp(node)
        return (node, tree.location(of: node))
    }

    private func isPossible(_ name: String) -> Bool { ShownNames.isPossible(name) }

    private func refusal(of name: String?, _ folder: UInt64) -> CInt {
        guard let name else { return EILSEQ }
        if name.utf8.count > ShownNames.longest { return ENAMETOOLONG }
        // The accounts are made elsewhere.
        return tree.location(of: folder) == nil ? EPERM : EINVAL
    }

    func openContent(of node: UInt64) async throws -> OpenHandles.OpenFile {
        if let file = drafts.draft(of: node)?.file { return file }
        if let descriptor = documents.reopen(node) { return OpenHandles.OpenFile(node: node, owning: descriptor) }
        guard let location = tree.location(of: node) else {
            throw DocumentsError(.notFound, "The document has gone.")
        }
        let document = try await source.open(location)
        guard let descriptor = document.takeDescriptor() ?? document.reopen() else {
            throw DocumentsError(.failed, "The document cannot be opened again.")
        }
        documents.keep(document, of: node)
        return OpenHandles.OpenFile(node: node, owning: descriptor)
    }

    private func enterDraft(of node: UInt64) -> NodeDraft {
        drafts.enter(node) { makeDraft(of: node, creating: nil, in: nil) }
    }

    private func makeDraft(
        of node: UInt64, creating name: String?, in folder: DocumentLocation?
    ) -> NodeDraft {
        NodeDraft(node: node) { [source, tree] isEmptied throws(DocumentsError) in
            if let name, let folder, tree.isBegun(node) { return try await source.create(name, in: folder) }
            guard let location = tree.location(of: node) else {
                throw DocumentsError(.notFound, "The document has gone.")
            }
            return try await source.edit(location, isEmptied: isEmptied)
        } published: { [tree, documents] item in
            documents.forget(node)
            tree.published(node, item)
        }
    }

    func leaveDraft(of node: UInt64) {
        drafts.leave(node) { _, error in
            ViewLog.write("What was written to \(node) could not be saved: \(error.message)")
        }
    }
}
