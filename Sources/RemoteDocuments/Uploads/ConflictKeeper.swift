import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import Rights
package import Storage

/// Keeps content that must not be lost and cannot become the current content: both sides of a conflict survive (HAZARDS
/// 5).
package struct ConflictKeeper: Sendable {
    private let layout: StorageLayout
    private let worker: BlockingWorker
    private let journal: OperationJournal
    private let index: ItemIndex
    /// The versions that are kept.
    package let versions: KeptVersionStore
    /// Keeps local copies when something else takes their place.
    package let replaced: ReplacedCopies
    private let places: ItemPlaces
    private let states: UploadStates
    private let changes: ContentChanges
    private let logger: Logger

    package init(
        layout: StorageLayout, worker: BlockingWorker, journal: OperationJournal, index: ItemIndex,
        versions: KeptVersionStore, places: ItemPlaces, replaced: ReplacedCopies, states: UploadStates,
        changes: ContentChanges, logger: Logger
    ) {
        self.layout = layout
        self.worker = worker
        self.journal = journal
        self.index = index
        self.versions = versions
        self.places = places
        self.replaced = replaced
        self.states = states
        self.changes = changes
        self.logger = logger
    }

    /// Keeps the content of an unsent change as a version of its document, and ends the change. Idempotent.
    ///
    /// The local copy is dropped if it holds this content: the provider's content becomes the current one.
    package func keep(_ row: JournaledOperation, _ key: ItemKey, as reason: KeptVersion.Reason) async throws {
        let item = try await index.item(key)
        let name = item?.description.name ?? row.name ?? key.identifier
        let known = try await versions.version(row.id) != nil
        if !known {
            let kept = try await link(row, key, reason)
            try await versions.add(
                KeptVersion(
                    id: row.id, key: key, name: name, reason: reason, size: row.size ?? 0, digest: row.digest,
                    created: .now, folder: kept.folder.text, file: kept.file.text, operation: row.id,
                    savedBy: row.principal, host: InstanceLock.currentHostName(), modified: row.created))
        }
        if let local = item?.local, local.version == LocalVersion(row.id).text {
            try await index.setLocal(key, nil)
            try await places.remove(local, of: key)
        }
        _ = try await journal.conflicted(row.id, reason: Self.text(reason))
        let layout = layout
        try? await worker.run { _ in
            let name = try FileName(row.id)
            try? Directory(path: layout.uploadsDirectory).remove(name)
            try? Directory(path: layout.stagingDirectory).remove(name)
        }
        changes.contentChanged(key)
        if !known { changes.versionKept(row.id, of: key) }
        logger.notice("a change was kept beside its document", metadata: ["name": "\(name)", "why": "\(reason)"])
    }

    /// Drops the content of an unsent change, because the user chose so when signing the domain out. Idempotent.
    package func drop(_ row: JournaledOperation, _ key: ItemKey) async throws {
        if let local = try await index.item(key)?.local, local.version == LocalVersion(row.id).text {
            try await index.setLocal(key, nil)
            try await places.remove(local, of: key)
        }
        _ = try await journal.conflicted(row.id, reason: "it was dropped when its domain was signed out")
        let layout = layout
        try? await worker.run { _ in
            let name = try FileName(row.id)
            try? Directory(path: layout.uploadsDirectory).remove(name)
            try? Directory(path: layout.stagingDirectory).remove(name)
        }
        changes.contentChanged(key)
        logger.notice("a change was dropped", metadata: ["operation": "\(row.id)"])
    }

    // A hard link, so that a kill before the end leaves the content in `Uploads` too.
    private func link(
        _ row: JournaledOperation, _ key: ItemKey, _ reason: KeptVersion.Reason
    ) async throws -> VersionStore.Place {
        try await worker.run { [layout] _ in
            try VersionStore(layout: layout).keepLink(
                to: try FileName(row.id), in: try Directory(path: layout.uploadsDirectory), item: Self.folder(key),
                reason: VersionStore.Reason(rawValue: reason.rawValue) ?? .conflict, operation: row.id)
        }
    }

    /// The name under which a document's versions are stored.
    package static func folder(_ key: ItemKey) -> String { "\(key.provider)@\(key.domain)/\(key.identifier)" }

    private static func text(_ reason: KeptVersion.Reason) -> String {
        switch reason {
        case .conflict: "somebody else changed the document; what was saved here is kept as a version (docent versions)"
        case .deleted: "the document was deleted elsewhere; what was saved here is kept as a version (docent versions)"
        default: "what was saved here is kept as a version (docent versions)"
        }
    }

    /// Keeps the local copies of documents that are about to go as versions, if they were saved on this machine.
    /// Idempotent. A failure is logged.
    func keepSaved(of items: [RemoteItem]) async {
        for item in items {
            guard let copy = item.local else { continue }
            do {
                try await replaced.keep(removed: copy, of: item.key)
            } catch {
                logger.warning(
                    "a copy is not kept", metadata: ["item": "\(item.key.identifier)", "why": "\(error)"])
            }
        }
    }

    /// Keeps the unsent changes of documents that are certainly gone, and removes their local copies.
    package func keepUnsent(of removed: [RemoteItem]) async {
        for item in removed {
            for row in (try? await journal.unsent(of: item.key)) ?? [] {
                do {
                    try await keep(row, item.key, as: .deleted)
                } catch {
                    logger.error("a change could not be kept", metadata: ["operation": "\(row.id)", "why": "\(error)"])
                }
            }
            states.set(nil, of: item.key)
            if let local = item.local { try? await places.remove(local, of: item.key) }
            changes.contentChanged(item.key)
        }
    }

    /// Removes a document that its provider reports as gone, once its unsent changes are kept.
    func removeGone(_ key: ItemKey) async {
        guard let unsent = try? await journal.unsent(of: key), unsent.isEmpty else { return }
        await keepUnsent(of: (try? await index.remove(key, protected: [])) ?? [])
    }
}
