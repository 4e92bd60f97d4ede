import CLinux
import Documents
import FileSystemMessages
import Glibc

/// New names, and names that go. A repeated request may have been carried out by an earlier server of the
/// mount, whose reply did not arrive: then it is done.
extension ViewServer {
    func create(_ name: String?, in folder: UInt64, for request: KernelRequest) -> Answer {
        guard let name, ShownNames.isPossible(name), tree.location(of: folder) != nil else {
            return .reply(.error(refusal(of: name, folder)))
        }
        return .later(patience) { [self] in
            await turns.run([folder]) {
                await Self.reply { try await self.created(name, in: folder, for: request) }
            }
        }
    }

    private func created(
        _ name: String, in folder: UInt64, for request: KernelRequest
    ) async throws -> KernelReply {
        let departure = departures.departure(of: name, in: folder)
        let begun = tree.begin(name, in: folder, as: beginning(name, folder, departure))
        let known = request.isRepeated && begun == nil ? try await entry(name, folder) : nil
        guard let node = begun ?? known else { return .error(EEXIST) }
        if let departure, departures.take(name, in: folder) != nil {
            tree.setHidden(false, departure.item.identifier, in: folder)
        }
        let draft = enterDraft(of: node)
        do {
            try await draft.prepare(isEmptied: true)
        } catch {
            await draft.orphan(nil)
            leaveDraft(of: node)
            _ = tree.remove(name, from: folder)
            throw error
        }
        // What the provider has does not count any more.
        tree.wrote(node, size: 0)
        guard let found = tree.lookUp(node) else { return .error(EIO) }
        let handle = handles.add(node: node, file: draft.file, isWriter: true, for: request.unique)
        if departure == nil { newDocuments.note(found.node) }
        return .created(found, .init(handle: handle))
    }

    /// What a new name is the beginning of: a local file, new content of a document that has left its name, or, if nil,
    /// a document.
    private func beginning(_ name: String, _ folder: UInt64, _ departure: Departures.Departure?) -> ViewItem? {
        if var item = departure?.item {
            item.size = 0
            return item
        }
        guard isLocal(name, in: folder) else { return nil }
        return ViewItem(
            identifier: "", name: name, kind: .file, modified: FileTime(ViewTree.now()), isDownloaded: true,
            isLocal: true)
    }

    func isLocal(_ name: String, in folder: UInt64) -> Bool {
        localNames.contains(name) { sibling in
            guard case .found(let node) = self.tree.lookUp(sibling, in: folder) else { return false }
            self.tree.forgetLookUp(node.node)
            return true
        }
    }

    func makeFolder(_ name: String?, in folder: UInt64, isRepeated: Bool) -> Answer {
        guard let name, ShownNames.isPossible(name), let location = tree.location(of: folder) else {
            return .reply(.error(refusal(of: name, folder)))
        }
        return .later(patience) { [self] in
            await Self.reply {
                let item: ViewItem
                do throws(DocumentsError) {
                    item = try await self.source.makeFolder(name, in: location)
                } catch {
                    guard isRepeated, error.code == .conflict, let node = try await self.loads.entry(name, of: folder)
                    else { throw error }
                    return .found(node)
                }
                guard let (node, changes) = self.tree.note(item, in: folder, at: .now) else { return .error(EIO) }
                self.tree.noteChange(in: folder)
                self.news.send(changes, isAnswer: true)
                return .found(node)
            }
        }
    }

    func remove(_ name: String?, from folder: UInt64, isFolder: Bool, isRepeated: Bool) -> Answer {
        guard let name else { return .reply(.error(ENOENT)) }
        return .later(patience) { [self] in
            await self.changing([folder]) {
                guard let node = try await self.entry(name, folder) else {
                    return isRepeated ? .done : .error(ENOENT)
                }
                guard let kind = self.tree.attributes(of: node)?.kind else { return .error(ENOENT) }
                guard (kind == .folder) == isFolder else { return .error(isFolder ? ENOTDIR : EISDIR) }
                if isFolder {
                    try await self.loads.load(node)
                    guard self.tree.entries(of: node)?.isEmpty ?? true else { return .error(ENOTEMPTY) }
                }
                // An earlier server may have published it without having noted that: then it is not only begun.
                try await self.drafts.draft(of: node)?.settleFormer()
                await self.orphan(node)
                do {
                    if self.tree.isLocal(node) {
                        try await self.removeLocal(name, folder)
                    } else if !self.tree.isBegun(node), let location = self.tree.location(of: node) {
                        // A folder is empty here, so nothing is lost with it.
                        let isFinal = isFolder || self.newDocuments.take(node)
                        try await self.source.remove(location, isFinal: isFinal)
                    }
                } catch let error as DocumentsError where isRepeated && error.code == .notFound {
                    // The earlier server has removed it.
                } catch {
                    // It is still there, and so is what programs have written to it.
                    await self.drafts.draft(of: node)?.revive()
                    throw error
                }
                self.documents.forget(node)
                self.attached.removed(node)
                _ = self.tree.remove(name, from: folder)
                return .done
            }
        }
    }

    /// The reply of a body that changes entries of folders.
    func changing(_ folders: Set<UInt64>, _ body: () async throws -> KernelReply) async -> KernelReply {
        await turns.run(folders) {
            tree.beginChange(in: folders)
            defer { tree.endChange(in: folders) }
            return await Self.reply(body)
        }
    }

    /// Lets those who have a document open go on with what they have, before its name leads elsewhere.
    func orphan(_ node: UInt64) async {
        guard let draft = drafts.draft(of: node) else { return }
        await draft.orphan(draft.file == nil ? try? await openContent(of: node) : nil)
    }

    func removeLocal(_ name: String, _ folder: UInt64) async throws {
        guard let identity = tree.identity(of: folder) else { return }
        // Renamed to this name and removed: then the document itself is removed.
        if let known = departures.departure(to: name, in: folder),
            let departure = departures.take(known.name, in: folder)
        {
            try await source.remove(departure.location, isFinal: false)
            tree.setHidden(false, departure.item.identifier, in: folder)
        }
        store.remove(name, from: identity)
    }

    // MARK: Shared

    /// The entry of a folder with a name; nil if there is none.
    func entry(_ name: String, _ folder: UInt64) async throws -> UInt64? {
        let node: UInt64?
        switch tree.lookUp(name, in: folder) {
        case .found(let found): node = found.node
        case .missing: node = nil
        case .unknown: node = try await loads.entry(name, of: folder)?.node
        }
        guard let node else { return nil }
        tree.forgetLookUp(node)
        return node
    }

    func refusal(of name: String?, _ folder: UInt64) -> CInt {
        guard let name else { return EILSEQ }
        if name.utf8.count > ShownNames.longest { return ENAMETOOLONG }
        // The accounts are made elsewhere.
        return tree.location(of: folder) == nil ? EPERM : EINVAL
    }
}
