import CLinux
import Documents
import FileSystemMessages
import Glibc
import Synchronization

/// The drafts of documents that are open for writing.
extension ViewServer {
    /// - Parameters:
    ///   - asking: the program that wants the content; nil when unknown.
    ///   - mayBePartial: whether the program only reads, so that what it reads is fetched then.
    func openContent(
        of node: UInt64, for asking: AskingProgram? = nil, mayBePartial: Bool = false
    ) async throws -> OpenHandles.OpenFile {
        if let file = drafts.draft(of: node)?.file { return file }
        if tree.isLocal(node), let (identity, name) = localFile(node) {
            return OpenHandles.OpenFile(node: node, owning: try store.open(name, in: identity, CLINUX_O_RDONLY))
        }
        if let file = documents.reopen(node) { return file }
        guard let reference = tree.reference(of: node) else {
            throw DocumentsError(.notFound, "The document has gone.")
        }
        if mayBePartial, tree.item(of: node)?.isDownloaded == false {
            let reading = try await source.openParts(reference, for: asking)
            guard reading.isComplete else { return OpenHandles.OpenFile(node: node, reading: reading) }
            // All of it is here by now: as any other document, it can be opened again without asking.
            reading.close()
        }
        let document = try await source.open(reference, for: asking)
        guard let descriptor = document.takeDescriptor() ?? document.reopen() else {
            throw DocumentsError(.failed, "The document cannot be opened again.")
        }
        documents.keep(document, of: node)
        return OpenHandles.OpenFile(node: node, owning: descriptor, version: document.version)
    }

    private func localFile(_ node: UInt64) -> (folder: [String], name: String)? {
        guard let (parent, name) = tree.place(of: node), let identity = tree.identity(of: parent) else { return nil }
        return (identity, name)
    }

    /// Counts one more program that has a node open for writing.
    func enterDraft(of node: UInt64) -> NodeDraft {
        drafts.enter(node) {
            NodeDraft(node: node, kept: kept, attributes: { [attached] in attached.attributes(of: node) }) {
                [self] isEmptied, base throws(DocumentsError) in
                try await begin(node, isEmptied: isEmptied, base: base)
            } finish: { [source] operation throws(DocumentsError) in
                try await source.finish(operation)
            } published: { [tree, documents, news, attached] item in
                documents.forget(node)
                attached.published(node, item)
                news.send(tree.published(node, item))
            } rescue: { [self] content throws(DocumentsError) in
                try await rescue(node, content)
            }
        }
    }

    private func begin(
        _ node: UInt64, isEmptied: Bool, base: String?
    ) async throws(DocumentsError) -> any SourceDraft {
        if tree.isLocal(node), let (identity, name) = localFile(node) {
            return try store.draft(name, in: identity)
        }
        if !tree.isBegun(node), let reference = tree.reference(of: node) {
            do throws(DocumentsError) {
                return try await source.edit(
                    reference, isEmptied: isEmptied, base: base, for: drafts.draft(of: node)?.asking)
            } catch {
                guard await isGone(node, error) else { throw error }
                // Somebody removed it while it is being written: what is saved is a new document under its name.
                tree.beginAgain(node)
            }
        }
        guard let (parent, name) = tree.place(of: node), let folder = tree.reference(of: parent) else {
            throw DocumentsError(.notFound, "The document was removed.")
        }
        do throws(DocumentsError) {
            return try await source.create(name, in: folder)
        } catch {
            guard await isGone(parent, error) else { throw error }
            throw DocumentsError(.notFound, "The folder was removed.")
        }
    }

    /// Whether an error means that a node's item has gone. The daemon says of what it cannot find that it is not
    /// permitted, unless it is asked for the place.
    private func isGone(_ node: UInt64, _ error: DocumentsError) async -> Bool {
        guard error.code == .notPermitted, let location = tree.location(of: node) else {
            return error.code == .notFound
        }
        do throws(DocumentsError) {
            // Another document may have its name.
            return try await source.item(at: location).identifier != tree.item(of: node)?.identifier
                && tree.item(of: node) != nil
        } catch { return error.code == .notFound }
    }

    /// Saves what was written to a document that has gone, and whose name or folder cannot be used any more: as a
    /// document with another name in its folder, otherwise as a file of this machine.
    ///
    /// - Throws: ``DocumentsError``: `notFound` if only the file could be made; any other if nothing could.
    private func rescue(_ node: UInt64, _ content: OpenHandles.OpenFile) async throws(DocumentsError) {
        let (folder, name) = tree.lastPlace(of: node) ?? (KernelRequest.root, "document")
        if try await isSaved(node, content, in: folder, as: name) { return }
        if let reference = tree.reference(of: folder) {
            let other = RecoveredName.of(name, at: ViewTree.now())
            do throws(DocumentsError) {
                let draft = try await source.create(other, in: reference)
                do throws(DocumentsError) {
                    let descriptor = try draft.descriptor()
                    defer { _ = clinux_close(descriptor) }
                    try SharedCopy.copy(from: content.descriptor, to: descriptor)
                } catch {
                    await draft.abandon()
                    throw error
                }
                _ = try await draft.commit(modified: nil)
                ViewLog.write("\(name) was removed or replaced while it was written: see \(other)")
                tree.noteChange(in: folder)
                return
            } catch {
                ViewLog.write("\(other) could not be made: \(error.message)")
            }
        }
        let path = try store.recover(name, content.descriptor)
        ViewLog.write("what was written to \(name) is in \(path)")
        throw DocumentsError(.notFound, "The document and its folder have gone; its content is in \(path).")
    }

    /// Whether the document that has the name of a new one has its content too: an earlier server of the mount has made
    /// it, and was killed before it had noted that.
    private func isSaved(
        _ node: UInt64, _ content: OpenHandles.OpenFile, in folder: UInt64, as name: String
    ) async throws(DocumentsError) -> Bool {
        guard tree.isBegun(node), let parent = tree.location(of: folder) else { return false }
        let path = (parent.path == "/" ? "" : parent.path) + "/" + name
        let item: ViewItem
        let document: any SourceDocument
        do throws(DocumentsError) {
            item = try await source.item(
                at: DocumentLocation(provider: parent.provider, domain: parent.domain, path: path))
            guard let reference = tree.reference(to: item.identifier, in: folder) else { return false }
            document = try await source.open(reference, for: nil)
        } catch { return false }
        defer { document.close() }
        guard let descriptor = document.takeDescriptor() else { return false }
        defer { _ = clinux_close(descriptor) }
        guard try SharedCopy.isEqual(content.descriptor, descriptor) else { return false }
        news.send(tree.published(node, item))
        return true
    }

    /// Goes on with what an earlier server of the mount had open.
    package func restore(_ entries: [(KeptState.Entry, CInt)]) {
        former.note(entries.map(\.0))
        let open = entries.filter { $0.0.kind == .file || $0.0.kind == .folder }
        let writers = handles.restore(open) { [tree, source] node, descriptor in
            RestoredReading(descriptor) { () async throws(DocumentsError) in
                guard let reference = tree.reference(of: node) else {
                    throw DocumentsError(.notFound, "The document has gone.")
                }
                return try await source.openParts(reference, for: nil)
            }
        }
        for node in writers { _ = enterDraft(of: node) }
        for (entry, _) in entries where entry.kind == .wakingThread { watchers?.noteFormer(entry.key) }
        for (entry, descriptor) in entries where descriptor >= 0 {
            switch entry.kind {
            case .draft:
                let file = OpenHandles.OpenFile(node: entry.node, owning: descriptor)
                // A document that somebody else removed is no orphan while something written to it is not saved.
                let isOrphan = tree.place(of: entry.node) == nil && !entry.isWriter
                // The journal has the size that was published.
                if isOrphan || entry.isWriter, let stamp = OpenDocuments.Stamp(of: descriptor) {
                    tree.wrote(entry.node, size: stamp.size)
                }
                if let draft = drafts.draft(of: entry.node) {
                    draft.restore(file, isDirty: entry.isWriter, isOrphan: isOrphan, former: entry.operation)
                } else if entry.isWriter, !isOrphan {
                    // All have closed it, and it was not saved yet.
                    enterDraft(of: entry.node).restore(
                        file, isDirty: true, isOrphan: false, former: entry.operation)
                    leaveDraft(of: entry.node)
                }
            case .departures: restoreDepartures(descriptor)
            case .file, .folder, .journal: break
            default: _ = clinux_close(descriptor)
            }
        }
        repeatsRequests.store(true, ordering: .releasing)
        keepAll()
        channel.send(KernelNotification.repeatRequests.message)
    }

    /// Leaves everything with a keeper that has nothing yet.
    package func keepAll() {
        if let journal = tree.journal { kept.keep(.init(kind: .journal, key: 0), journal.descriptor) }
        if repeatsRequests.load(ordering: .acquiring) { kept.keep(.init(kind: .repeatsRequests, key: 0)) }
        handles.keepAll()
        drafts.keepAll()
        departures.keep()
        watchers?.keep()
        let thread = reader.load(ordering: .acquiring)
        if thread != 0 { kept.keep(.init(kind: .reader, key: thread)) }
    }

    /// Publishes what programs have written and not closed yet, before the view ends.
    ///
    /// - Parameter keepsRest: whether what cannot be saved is kept as files of this machine.
    package func publishAll(keepsRest: Bool = false) async {
        await drafts.publishAll { draft, error in
            ViewLog.write("What was written to \(draft.node) could not be saved: \(error.message)")
            guard keepsRest, draft.isDirty, let file = draft.file else { return }
            do throws(DocumentsError) {
                let path = try store.recover(tree.lastPlace(of: draft.node)?.name ?? "document", file.descriptor)
                ViewLog.write("It is in \(path).")
            } catch {
                ViewLog.write("It could not be kept either: \(error.message)")
            }
        }
    }

    /// Counts one program less that has a node open for writing.
    func leaveDraft(of node: UInt64) {
        drafts.leave(node) { _, error in
            ViewLog.write("What was written to \(node) could not be saved: \(error.message)")
        }
    }
}
