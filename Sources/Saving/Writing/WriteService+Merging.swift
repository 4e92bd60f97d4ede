import Access
package import DocentInterfaces
import HostCore
import Records
import RemoteDocuments
package import Rights
package import Storage

extension Principal {
    /// Docent itself, when it saves what it has merged. No client can state this identifier.
    package static let merging = Principal(kind: .unconfined, identifier: "org.docent:merge")
}

extension WriteService {
    /// Saves what Docent has merged by itself: under a claim, keeping what it replaces, and sent like any other save.
    /// May be repeated with the same operation.
    ///
    /// - Parameters:
    ///   - content: the merged content, open for reading.
    ///   - version: the version of the document that was merged. Nothing is saved if the document has another one,
    ///     which is known here at once, and at its provider when the save is sent.
    ///   - operation: names the save.
    ///   - isWanted: asked under the claim, right before anything is done.
    /// - Returns: the document as it is now; nil if nothing was saved, because it has changed or nobody wants it.
    /// - Throws: ``Failure``. Before the commit, everything is as it was.
    package func saveMerged(
        _ content: OpenDescriptor, of key: ItemKey, over version: String, operation: String,
        isWanted: @escaping @Sendable () async throws -> Bool
    ) async throws -> Wire.Item? {
        try await gateway.requireWritable(key.provider)
        return try await operations.run(operation, .merging) { [self] in
            try await coordination.withMerge(of: key) { [self] record -> Wire.Item? in
                // The content that is replaced is here then, so that it can be kept.
                let now = try await gateway.content(key).item
                guard now.isVersion(version), let base = now.version, try await isWanted() else { return nil }
                let row = try await commitMerged(content, of: key, named: now.name, over: base, operation)
                let item = try await publisher.publishWrite(row)
                record.changed(item.reference.key, version: item.version)
                return item
            }
        }
    }

    /// Steps 1 to 5.
    private func commitMerged(
        _ content: OpenDescriptor, of key: ItemKey, named name: String, over base: String, _ operation: String
    ) async throws -> JournaledOperation {
        var row = try await journal.begin(
            OperationRequest(
                write: key, operation: operation, principal: .merging, baseVersion: base, name: name))
        if row.state == .abandoned { row = try await journal.reopened(row.id) }
        guard row.state == .open else { return row }
        do {
            await staged.remove(row.id)
            let written = try await staged.begin(row, from: content, expected: 0)
            try await keeper.prepare(row, key, isRestoring: true)
            let frozen = try await staged.freeze(written)
            row = try await journal.staged(
                row.id, digest: frozen.digest, size: Int64(frozen.size), baseVersion: base)
        } catch {
            // In a task of its own: this one may be cancelled. What is committed stays.
            await Task { [journal, staged, row] in
                guard (try? await journal.abandoned(row.id, reason: "it could not be saved")) != nil else { return }
                await staged.remove(row.id)
            }.value
            throw error
        }
        publisher.crash(.committed)
        return row
    }
}
