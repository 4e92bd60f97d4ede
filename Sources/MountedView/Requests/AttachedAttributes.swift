import Documents
import FileSystemMessages
import Synchronization

/// The extended attributes that programs have given to the files of a view. Those of a document are kept on this
/// machine, and go to its provider with its next content; those of anything else last as long as the view.
///
/// Thread-safe.
final class AttachedAttributes: Sendable {
    typealias Attributes = AttributeFiles.Attributes

    /// The most files with attributes that are no documents.
    private static let mostOthers = 1_000

    private let tree: ViewTree
    private let files: AttributeFiles
    /// The attributes of files that are no documents, or not yet, by node.
    private let others = Mutex<[UInt64: Attributes]>([:])

    init(tree: ViewTree, files: AttributeFiles) {
        self.tree = tree
        self.files = files
    }

    /// The attributes of a node.
    func attributes(of node: UInt64) -> Attributes {
        guard let document = document(node) else { return others.withLock { $0[node] ?? [:] } }
        return files.attributes(of: document)
    }

    /// Changes the attributes of a node, one change after the other.
    ///
    /// - Returns: what the change returns.
    func change<Result>(
        _ node: UInt64, _ body: (inout Attributes) throws(DocumentsError) -> Result
    ) throws(DocumentsError) -> Result {
        let document = document(node)
        return try others.withLock { others throws(DocumentsError) in
            var attributes = document.map { files.attributes(of: $0) } ?? others[node] ?? [:]
            let before = attributes
            let result = try body(&attributes)
            guard attributes != before else { return result }
            if let document {
                try files.set(attributes, of: document)
            } else {
                guard AttributeFiles.fits(attributes), others[node] != nil || others.count < Self.mostOthers else {
                    throw DocumentsError(.noSpace, "There are too many attributes.")
                }
                others[node] = attributes.isEmpty ? nil : attributes
            }
            return result
        }
    }

    /// A node has become the document of an item, or its content has: the document has its attributes from now on.
    func published(_ node: UInt64, _ item: ViewItem) {
        guard !item.isLocal, let folder = tree.parent(of: node),
            let left = others.withLock({ $0.removeValue(forKey: node) })
        else { return }
        give(left, to: item.identifier, in: folder)
    }

    /// Gives attributes to a document beside those that it has, in place of those of the same names.
    func give(_ attributes: Attributes, to identifier: String, in folder: UInt64) {
        guard !attributes.isEmpty, let document = document(identifier, in: folder) else { return }
        others.withLock { _ in
            let merged = files.attributes(of: document).merging(attributes) { $1 }
            do throws(DocumentsError) {
                try files.set(AttributeFiles.fits(merged) ? merged : attributes, of: document)
            } catch { ViewLog.write("attributes are lost: \(error.message)") }
        }
    }

    /// A document has another identifier now.
    func moved(_ identifier: String, to new: String, in folder: UInt64) {
        guard identifier != new, let old = document(identifier, in: folder) else { return }
        let attributes = files.attributes(of: old)
        guard !attributes.isEmpty else { return }
        give(attributes, to: new, in: folder)
        others.withLock { _ in try? files.set([:], of: old) }
    }

    /// A node was removed.
    func removed(_ node: UInt64) {
        let document = document(node)
        others.withLock { others in
            others[node] = nil
            if let document { try? files.set([:], of: document) }
        }
    }

    /// What identifies the document of a node among those of all accounts; nil for anything else.
    private func document(_ node: UInt64) -> [String]? {
        guard let item = tree.item(of: node), item.kind == .file, !item.isLocal, !item.isBegun,
            let folder = tree.parent(of: node)
        else { return nil }
        return document(item.identifier, in: folder)
    }

    private func document(_ identifier: String, in folder: UInt64) -> [String]? {
        guard !identifier.isEmpty, let reference = tree.reference(to: identifier, in: folder) else { return nil }
        return [reference.provider, reference.domain, reference.identifier]
    }
}
