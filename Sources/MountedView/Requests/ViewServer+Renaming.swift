import CLinux
import Documents
import FileSystemMessages
import Glibc

/// Other names. Programs save by renaming what they have written over a document: it stays the same document then.
extension ViewServer {
    func rename(
        _ name: String?, _ folder: UInt64, _ newName: String?, _ newFolder: UInt64, flags: UInt32,
        for request: KernelRequest
    ) -> Answer {
        let isRepeated = request.isRepeated
        guard let name, let newName, ShownNames.isPossible(newName), let target = tree.location(of: newFolder) else {
            return .reply(.error(refusal(of: newName, newFolder)))
        }
        guard flags & ~CLINUX_RENAME_NOREPLACE == 0 else { return .reply(.error(EINVAL)) }
        return .later(contentPatience) { [self] in
            await self.changing([folder, newFolder]) {
                guard let node = try await self.entry(name, folder) else {
                    if isRepeated, try await self.entry(newName, newFolder) != nil { return .done }
                    return .error(ENOENT)
                }
                // What is not published yet gets its content before its name.
                if let draft = self.drafts.draft(of: node) {
                    try await draft.publish()
                    await draft.rest()
                }
                guard let item = self.tree.item(of: node), let location = self.tree.location(of: node) else {
                    return .error(EPERM)
                }
                guard location.provider == target.provider, location.domain == target.domain else {
                    // Programs copy then.
                    return .error(EXDEV)
                }
                let move = Move(
                    node: node, name: name, folder: folder, newName: newName, newFolder: newFolder,
                    unique: request.unique)
                if isRepeated, try await self.wasDone(move, item) { return .done }
                let other = try await self.entry(newName, newFolder)
                if other == node { return .done }
                guard other == nil || flags & CLINUX_RENAME_NOREPLACE == 0 else { return .error(EEXIST) }
                if other == nil, let departure = self.departures.take(newName, in: newFolder) {
                    self.tree.setHidden(false, departure.item.identifier, in: newFolder)
                    return try await self.give(
                        move, to: self.tree.reference(to: departure.item.identifier, in: newFolder))
                }
                let isLocalPlace = other.map { self.tree.isLocal($0) } ?? self.isLocal(newName, in: newFolder)
                if let other, !isLocalPlace { return try await self.replace(other, by: move) }
                if isLocalPlace {
                    if let other { await self.orphan(other) }
                    if item.isLocal { return try await self.renameLocal(move, item) }
                    // An earlier copy of the same kind makes room.
                    if other != nil { try await self.removeLocal(newName, newFolder) }
                    if item.isDownloaded, item.kind == .file, folder == newFolder {
                        return try await self.depart(move, item, location)
                    }
                }
                if item.isLocal {
                    if let departure = self.departures.departure(to: name, in: folder) {
                        return try await self.giveName(move, to: departure)
                    }
                    return try await self.give(move, to: nil)
                }
                do throws(DocumentsError) {
                    let moved = try await self.source.move(
                        location, to: folder == newFolder ? nil : target, named: name == newName ? nil : newName)
                    self.attached.moved(item.identifier, to: moved.identifier, in: newFolder)
                    self.adopt(move, moved)
                } catch {
                    // The daemon may have done it for an earlier server meanwhile.
                    guard isRepeated, [.notFound, .conflict, .notPermitted].contains(error.code),
                        try await self.wasDone(move, item)
                    else { throw error }
                }
                return .done
            }
        }
    }

    /// A change of name that was asked for.
    struct Move: Sendable {
        let node: UInt64
        let name: String
        let folder: UInt64
        let newName: String
        let newFolder: UInt64
        /// Names the request.
        let unique: UInt64
    }

    /// Whether an earlier server of the mount has carried out a change of name, and was killed before it had noted
    /// that.
    private func wasDone(_ move: Move, _ item: ViewItem) async throws -> Bool {
        if let departure = departures.departure(of: move.name, in: move.folder) {
            guard departure.localName == move.newName, move.folder == move.newFolder else { return false }
        }
        guard let from = tree.identity(of: move.folder), let to = tree.identity(of: move.newFolder) else {
            return false
        }
        if item.isLocal {
            guard store.file(move.name, in: from) == nil else { return false }
        } else if departures.departure(of: move.name, in: move.folder) == nil {
            guard try await !exists(move.node) else { return false }
        }
        if let local = store.file(move.newName, in: to) {
            adopt(move, local)
            return true
        }
        guard let folder = tree.location(of: move.newFolder) else { return false }
        let path = (folder.path == "/" ? "" : folder.path) + "/" + move.newName
        do throws(DocumentsError) {
            adopt(
                move,
                try await source.item(
                    at: DocumentLocation(provider: folder.provider, domain: folder.domain, path: path)))
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    private func exists(_ node: UInt64) async throws -> Bool {
        guard let location = tree.location(of: node) else { return false }
        do throws(DocumentsError) {
            _ = try await source.item(at: location)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// Gives a node its new name, and what that is the name of.
    func adopt(_ move: Move, _ item: ViewItem) {
        tree.adopt(move.node, item, in: move.newFolder, as: move.newName)
        // Those who have it open go on with this document.
        drafts.draft(of: move.node)?.rebase(item.version)
    }

    private func replace(_ other: UInt64, by move: Move) async throws -> KernelReply {
        guard let old = tree.item(of: other), let new = tree.item(of: move.node) else { return .error(ENOENT) }
        if old.kind == .folder {
            guard new.kind == .folder else { return .error(EISDIR) }
            try await loads.load(other)
            guard tree.entries(of: other)?.isEmpty ?? true else { return .error(ENOTEMPTY) }
            guard let place = tree.location(of: other), let location = tree.location(of: move.node),
                let target = tree.location(of: move.newFolder)
            else { return .error(EPERM) }
            try await source.remove(place, isFinal: true)
            let moved = try await source.move(
                location, to: move.folder == move.newFolder ? nil : target,
                named: move.name == move.newName ? nil : move.newName)
            adopt(move, moved)
            return .done
        }
        guard new.kind == .file, old.kind == .file else { return .error(new.kind == .folder ? ENOTDIR : EEXIST) }
        // Nothing is to be saved to the document beside what replaces it: a program that only emptied it may have
        // closed it, and the report of that may come later.
        if let draft = drafts.draft(of: other), tree.isBegun(other) || draft.isOnlyEmptied { try await draft.publish() }
        guard let place = tree.reference(of: other) else { return .error(EPERM) }
        return try await give(move, to: place, insteadOf: other)
    }

    /// Gives a document the content of another or of a local file, which is removed then: programs save in this way,
    /// and the document stays the same one, with its rights and versions.
    ///
    /// - Parameters:
    ///   - place: the document; nil for a new one.
    ///   - other: the node that shows the document.
    private func give(
        _ move: Move, to place: DocumentReference?, insteadOf other: UInt64? = nil
    ) async throws -> KernelReply {
        guard let item = tree.item(of: move.node), let location = tree.location(of: move.node),
            let target = tree.reference(of: move.newFolder)
        else { return .error(ENOENT) }
        // What those who have the other one open have not read yet is still there.
        let otherDraft = other.flatMap { drafts.draft(of: $0) }
        let otherContent: OpenHandles.OpenFile? =
            if let other, otherDraft?.file == nil, otherDraft != nil { try await openContent(of: other) } else { nil }
        let saved = try await savedContent(of: move, item, to: place, in: target)
        await otherDraft?.orphan(otherContent)
        if let other { documents.forget(other) }
        if item.isLocal {
            try await removeLocal(move.name, move.folder)
        } else {
            // Its content lives on under the other name.
            try await source.remove(location, isFinal: true)
        }
        documents.forget(move.node)
        attached.removed(move.node)
        adopt(move, saved)
        kept.forget(.saving, FormerAnswers.name(of: move.unique))
        return .done
    }

    /// Saves the content of a node as that of a document.
    ///
    /// - Parameters:
    ///   - place: the document; nil for a new one in the folder `target`.
    private func savedContent(
        of move: Move, _ item: ViewItem, to place: DocumentReference?, in target: DocumentReference
    ) async throws -> ViewItem {
        // The daemon may have done it for an earlier server.
        if let former = former.takeSaving(move.unique), let saved = try await source.finish(former.identifier) {
            return saved
        }
        let content = try await openContent(of: move.node)
        let draft =
            if let place {
                try await source.edit(place, isEmptied: true, base: nil, for: nil)
            } else {
                try await source.create(move.newName, in: target)
            }
        do {
            let descriptor = try draft.descriptor()
            defer { _ = clinux_close(descriptor) }
            try SharedCopy.copy(from: content.descriptor, to: descriptor)
        } catch {
            await draft.abandon()
            throw error
        }
        let given = attached.attributes(of: move.node)
        draft.attach(given)
        kept.keep(
            .init(
                kind: .saving, key: FormerAnswers.name(of: move.unique),
                operation: draft.operation.flatMap { KeptOperation($0) }))
        let saved = try await draft.commit(modified: item.modified.interval)
        attached.give(given, to: saved.identifier, in: move.newFolder)
        return saved
    }

    private func renameLocal(_ move: Move, _ item: ViewItem) async throws -> KernelReply {
        guard let from = tree.identity(of: move.folder), let to = tree.identity(of: move.newFolder) else {
            return .error(EPERM)
        }
        // What the new name was the copy of goes with it.
        if store.file(move.newName, in: to) != nil { try await removeLocal(move.newName, move.newFolder) }
        let departure = departures.departure(to: move.name, in: move.folder)
        try store.rename(move.name, in: from, to: move.newName, in: to)
        if var departure, move.folder == move.newFolder, departures.take(departure.name, in: move.folder) != nil {
            departure.localName = move.newName
            add(departure)
        }
        var renamed = item
        renamed.name = move.newName
        adopt(move, renamed)
        return .done
    }
}
