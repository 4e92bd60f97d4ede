import DocentInterfaces
import FoundationEssentials
import HostCore
import Logging
package import Records
package import Rights
import Storage

/// Steps 6 to 8 of W for a document of a remote provider: publish it locally, record it, and reply. The upload follows
/// separately (``RemoteUploads``), so that a writer does not wait for the network.
package struct RemotePublisher: Sendable {
    private let parts: RemoteParts
    private let uploads: RemoteUploads

    package init(_ parts: RemoteParts) {
        self.parts = parts
        uploads = RemoteUploads(parts)
    }

    /// Whether the index has a document or folder. It has remote ones only.
    package func knows(_ key: ItemKey) async throws -> Bool { try await parts.knows(key) }

    /// The current identifier of a document. A creation has a provisional one until the provider has assigned its own.
    package func current(_ key: ItemKey) async throws -> ItemKey { try await parts.current(key) }

    /// The identifier of a document that an operation creates, until its provider assigns one.
    package static func provisionalIdentifier(_ operation: String) -> String { provisionalPrefix + operation }

    /// Whether an identifier is provisional.
    package static func isProvisional(_ identifier: String) -> Bool { identifier.hasPrefix(provisionalPrefix) }

    private static let provisionalPrefix = ".docent-new-"

    /// Publishes a committed write. Idempotent. The caller holds the write claim.
    ///
    /// - Throws: ``Failure`` `NotFound` when the document has been deleted elsewhere; the content is then a kept
    ///   version.
    package func publishWrite(_ row: JournaledOperation, _ given: ItemKey) async throws {
        let key = try await current(given)
        guard let item = try await parts.index.item(key) else {
            try await parts.conflicts.keep(row, key, as: .deleted)
            throw Failure(
                .notFound, "The document was deleted elsewhere while it was being written.",
                suggestion: "What you wrote is kept: docent versions", provider: key.provider)
        }
        try await publish(row, key, item.description)
    }

    /// Publishes a committed creation: the document exists at once, under a provisional identifier. Idempotent.
    ///
    /// - Throws: ``Failure`` `Conflict` when the name is taken.
    package func publishCreation(
        _ row: JournaledOperation, in given: ItemKey, name: String
    ) async throws {
        // The folder may have been renamed in the meantime.
        let folder = try await current(given)
        let key = ItemKey(
            provider: row.provider, domain: row.domain, identifier: Self.provisionalIdentifier(row.id))
        let description = ItemDescription(
            identifier: key.identifier, parent: folder.identifier, name: name, contentType: row.contentType,
            size: row.size, modificationDate: Date.now.timeIntervalSince1970, creationDate: nil, isFolder: false,
            version: nil, capabilities: nil, thumbnail: nil)
        if try await parts.index.item(key) == nil {
            if try await parts.index.child(named: name, of: folder) != nil {
                throw Failure(
                    .conflict, "There is already a \"\(name)\".", suggestion: "Choose another name.",
                    provider: folder.provider)
            }
            try await parts.index.insertProvisional(description, provider: key.provider, domain: key.domain)
        }
        try await publish(row, key, description)
    }

    /// Keeps a change whose document is gone as a version. Idempotent.
    package func keepUnsent(_ row: JournaledOperation, _ key: ItemKey) async throws {
        try await parts.conflicts.keep(row, key, as: .deleted)
        parts.states.set(nil, of: key)
    }

    // A failure leaves what was put aside before the commit.
    private func settleReplaced(_ row: JournaledOperation, _ key: ItemKey, _ former: LocalCopy) async {
        do {
            try await parts.places.settleReplaced(by: row.id, former, of: key)
        } catch {
            parts.logger.warning("a replaced content is not kept", metadata: ["why": "\(error)"])
        }
    }

    private func publish(_ row: JournaledOperation, _ key: ItemKey, _ description: ItemDescription) async throws {
        guard let size = row.size else { throw JournalError.unreadable }
        let former = try await parts.index.item(key)?.local
        if let former { await settleReplaced(row, key, former) }
        let copy = try await parts.places.publish(row.id, size: size, as: key, name: description.name)
        parts.crash(.renamed)
        parts.crash(.published)
        let isRepeated = former?.version.map { $0 == LocalVersion(row.id).text } ?? true
        let replaced = await parts.superseded.version(
            for: row, key, name: description.name, version: isRepeated ? row.baseVersion : former?.version,
            modified: description.modificationDate)
        try await parts.index.setLocal(key, copy)
        _ = try await parts.journal.published(row.id, item: key.identifier, replaced: replaced)
        parts.crash(.recorded)
        parts.superseded.recorded(replaced)
        parts.states.set(.queued, of: key)
        parts.changes.contentChanged(key)
        // Removes the document's placeholder, and a copy under its former name.
        if let item = try await parts.index.item(key) {
            await parts.local.contentArrived(item, former: former, now: copy)
        }
        await uploads.enqueue(key, name: description.name)
    }
}
