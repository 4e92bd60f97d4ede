package import HostCore
package import Logging
package import Records
import RemoteDocuments
package import Storage

/// Recovers packages that were never committed (W0). Idempotent.
package struct PackageRecovery: Sendable {
    private let journal: OperationJournal
    private let versions: KeptVersionStore
    private let staging: PackageStaging
    private let changes: ContentChanges
    private let worker: BlockingWorker
    private let logger: Logger

    package init(
        journal: OperationJournal, versions: KeptVersionStore, staging: PackageStaging, changes: ContentChanges,
        worker: BlockingWorker, logger: Logger
    ) {
        self.journal = journal
        self.versions = versions
        self.staging = staging
        self.changes = changes
        self.worker = worker
        self.logger = logger
    }

    /// Keeps the new content of a change as a version of its package, and ends the change.
    ///
    /// If the content cannot be kept, for example on a full disk, the change stays as it is, and the next daemon tries
    /// again.
    func keep(_ row: JournaledOperation, _ event: String) async {
        do {
            let isKept = try await recover(row)
            if isKept {
                _ = try await journal.recovered(
                    row.id, reason: "\(event) before it was committed; its content is kept as a recovered version")
            } else {
                _ = try await journal.abandoned(row.id, reason: "\(event) before anything was written")
            }
            try? await worker.run { [staging] _ in try staging.remove(row.id) }
            // A package that was never published has no presenters.
            if isKept, let key = row.itemKey { changes.versionKept(row.id, of: key) }
        } catch {
            logger.error(
                "an unfinished package could not be kept", metadata: ["operation": "\(row.id)", "why": "\(error)"])
        }
    }

    private func recover(_ row: JournaledOperation) async throws -> Bool {
        guard let key = row.itemKey ?? row.folderKey else { return false }
        let kept = try await worker.run { [staging] cancellation in
            try staging.recover(row.id, item: ConflictKeeper.folder(key), cancellation: cancellation)
        }
        guard let kept else { return false }
        try await versions.add(
            KeptVersion(
                id: row.id, key: key, name: kept.name + ".zip", reason: .recovered, size: kept.size,
                folder: kept.place.folder.text, file: kept.place.file.text, operation: row.id, savedBy: row.principal,
                host: InstanceLock.currentHostName(), modified: row.changed))
        return true
    }
}
