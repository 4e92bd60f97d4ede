import Documents

/// A document with the versions that somebody has to decide about: the one that was named, or a file in that package.
struct Dispute {
    let document: SecurityScopedDocument
    /// The versions, newest first.
    let conflicts: [FileVersion]
    /// Whether it is a file in the package that was named.
    var isElement = false

    /// The unresolved conflicts of a document, and of the files in it if it is a package.
    static func all(of document: SecurityScopedDocument) async throws -> [Dispute] {
        let own = try await FileVersion.unresolvedConflictVersions(of: document)
        var disputes = own.isEmpty ? [] : [Dispute(document: document, conflicts: own)]
        // If its provider does not answer, what is known of the document itself is enough.
        let item = try await own.isEmpty ? document.item() : try? document.item()
        guard let item, item.isFolder, item.conflicts > own.count else { return disputes }
        for element in try await PackageReader(reference: item.reference, client: document.client).elements() {
            guard !element.isFolder, let reference = element.reference else { continue }
            let part = document.client.document(reference, access: document.access)
            let conflicts = try await FileVersion.unresolvedConflictVersions(of: part)
            if !conflicts.isEmpty {
                disputes.append(Dispute(document: part, conflicts: conflicts, isElement: true))
            }
        }
        return disputes
    }
}
