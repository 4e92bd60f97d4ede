import CLinux
import Documents
import FileSystemMessages
import Glibc
import Synchronization

/// The drafts of documents that are open for writing.
extension ViewServer {
    func openContent(of node: UInt64) async throws -> OpenHandles.OpenFile {
        if let file = drafts.draft(of: node)?.file { return file }
        if tree.isLocal(node), let (identity, name) = localFile(node) {
            return OpenHandles.OpenFile(node: node, owning: try store.open(name, in: identity, CLINUX_O_RDONLY))
        }
        if let descriptor = documents.reopen(node) { return OpenHandles.OpenFile(node: node, owning: descriptor) }
        guard let reference = tree.reference(of: node) else {
            throw DocumentsError(.notFound, "The document has gone.")
        }
        let document = try await source.open(reference)
        guard let descriptor = document.takeDescriptor() ?? document.reopen() else {
            throw DocumentsError(.failed, "The document cannot be opened again.")
        }
        documents.keep(document, of: node)
        return OpenHandles.OpenFile(node: node, owning: descriptor)
    }

    private func localFile(_ node: UInt64) -> (folder: [String], name: String)? {
        guard let (parent, name) = tree.place(of: node), let identity = tree.identity(of: parent) else { return nil }
        return (identity, name)
    }

    /// Counts one more program that has a node open for writing.
    func enterDraft(of node: UInt64) -> NodeDraft {
        drafts.enter(node) {
            NodeDraft(node: node, kept: kept) { [self] isEmptied throws(DocumentsError) in
                try await begin(node, isEmptied: isEmptied)
            } published: { [tree, documents] item in
                documents.forget(node)
                tree.published(node, item)
            }
        }
    }

    private func begin(_ node: UInt64, isEmptied: Bool) async throws(DocumentsError) -> any SourceDraft {
        if tree.isLocal(node), let (identity, name) = localFile(node) {
            return try store.draft(name, in: identity, isEmptied: isEmptied)
        }
        guard let (parent, name) = tree.place(of: node), let folder = tree.reference(of: parent),
            let reference = tree.reference(of: node)
        else { throw DocumentsError(.notFound, "The document was removed.") }
        if tree.isBegun(node) { return try await source.create(name, in: folder) }
        return try await source.edit(reference, isEmptied: isEmptied)
    }

    /// Goes on with what an earlier server of the mount had open.
    package func restore(_ entries: [(KeptState.Entry, CInt)]) {
        for node in handles.restore(entries.filter { $0.0.kind == .file || $0.0.kind == .folder }) {
            _ = enterDraft(of: node)
        }
        for (entry, descriptor) in entries where descriptor >= 0 {
            switch entry.kind {
            case .draft:
                let file = OpenHandles.OpenFile(node: entry.node, owning: descriptor)
                let isOrphan = tree.place(of: entry.node) == nil
                // The journal has the size that was published.
                if isOrphan || entry.isWriter, let stamp = OpenDocuments.Stamp(of: descriptor) {
                    tree.wrote(entry.node, size: stamp.size)
                }
                if let draft = drafts.draft(of: entry.node) {
                    draft.restore(file, isDirty: entry.isWriter, isOrphan: isOrphan)
                } else if entry.isWriter, !isOrphan {
                    // All have closed it, and it was not saved yet.
                    enterDraft(of: entry.node).restore(file, isDirty: true, isOrphan: false)
                    leaveDraft(of: entry.node)
                }
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
    }

    /// Publishes what programs have written and not closed yet, before the view ends.
    package func publishAll() async {
        await drafts.publishAll { draft, error in
            ViewLog.write("What was written to \(draft.node) could not be saved: \(error.message)")
        }
    }

    /// Counts one program less that has a node open for writing.
    func leaveDraft(of node: UInt64) {
        drafts.leave(node) { _, error in
            ViewLog.write("What was written to \(node) could not be saved: \(error.message)")
        }
    }
}
