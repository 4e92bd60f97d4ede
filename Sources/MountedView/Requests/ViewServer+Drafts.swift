import CLinux
import Documents
import Glibc

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
            NodeDraft(node: node) { [self] isEmptied throws(DocumentsError) in
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
