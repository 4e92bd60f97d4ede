import DocentInterfaces
import FoundationEssentials
import HostCore
package import Logging
package import Records
package import Rights
package import Storage

/// What saves replace: put aside before a save is committed, and recorded as a version when the save is published. And
/// what downloads replace.
///
/// What is put aside belongs to its operation. If that never gets published, nobody refers to the file, and
/// `VersionThinner` removes it.
package struct SupersededContent: Sendable {
    let journal: OperationJournal
    let worker: BlockingWorker
    let logger: Logger
    /// The files before they are recorded.
    package let store: SupersededStore
    /// The content of recorded versions: what opens, packs and removes it.
    package let kept: KeptContentStore
    /// The packages.
    package let packages: PackageVersionStore
    /// The documents that got a version, for thinning.
    package let touched = TouchedHistories()
    /// The same documents, for packing.
    package let unpacked = TouchedHistories()
    /// The local copies that downloads are replacing at this moment.
    package let unrecorded = UnrecordedVersions()
    /// The name of this machine.
    package let host: String

    package init(layout: StorageLayout, worker: BlockingWorker, journal: OperationJournal, logger: Logger) {
        store = SupersededStore(layout: layout)
        kept = KeptContentStore(layout: layout)
        packages = kept.packages
        self.worker = worker
        self.journal = journal
        self.logger = logger
        host = InstanceLock.currentHostName()
    }

    /// The id of the version that keeps what a save replaced.
    package static func identifier(_ operation: String) -> String { prefix + operation }

    private static let prefix = "b"

    /// The space that the common parts of packed versions take, in bytes.
    package func sharedBytes() async throws -> Int64 {
        Int64(clamping: try await worker.run { [kept] _ in try kept.used() })
    }

    // MARK: Before the commit

    /// The most bytes of all versions together at present.
    package func room(_ policy: VersionPolicy) async throws -> Int64 {
        policy.room(free: Int64(clamping: try await worker.run { [store] _ in try store.available() }))
    }

    /// Puts a copy of an open file aside.
    ///
    /// - Throws: `.noSpace`; like `FileCopier.copy`.
    package func keep(
        copyOf content: OpenDescriptor, for row: JournaledOperation, as reason: VersionStore.Reason
    ) async throws {
        _ = try await worker.run { [store] cancellation in
            try store.keep(copyOf: content, for: row.id, reason, cancellation: cancellation)
        }
    }

    // MARK: At the publication

    /// The version to record for a save that is being published; nil if nothing was put aside for it, and if the save
    /// changed nothing. A save that its provider has is never held up by its version: a failure is logged.
    ///
    /// - Parameters:
    ///   - version: the version of the document that was replaced, if known.
    ///   - modified: when it was changed, in seconds since 1970; nil takes the date of its file.
    package func version(
        for row: JournaledOperation, _ key: ItemKey, name: String, version: String?, modified: Double?
    ) async -> KeptVersion? {
        do {
            return try await found(row.id, row.digest, key, name: name, version: version, modified: modified)
        } catch {
            logger.warning(
                "a content that a save replaced is not kept",
                metadata: ["item": "\(key.identifier)", "why": "\(FailureMapping.failure(error).message)"])
            return nil
        }
    }

    /// The version to record for a local copy that a download is about to replace; nil if nothing was put aside.
    ///
    /// - Parameter download: the name under which it was put aside.
    func version(
        replacedBy download: String, _ copy: LocalCopy, of key: ItemKey, modified: Double?
    ) async throws -> KeptVersion? {
        try await found(download, nil, key, name: copy.name, version: copy.version, modified: modified)
    }

    private func found(
        _ operation: String, _ digest: String?, _ key: ItemKey, name: String, version: String?, modified: Double?
    ) async throws -> KeptVersion? {
        let kept = try await worker.run { [store] _ in
            let kept = try store.kept(operation)
            if let kept { try store.settle(kept) }
            return kept
        }
        guard let kept else { return nil }
        let origin = try await journal.origin(of: key, version: version, operation: LocalVersion(version)?.operation)
        if let digest, digest == origin?.digest {
            try await worker.run { [store] _ in try store.remove([kept.place]) }
            return nil
        }
        let date = modified.map(Date.init(timeIntervalSince1970:)) ?? Self.date(kept.status)
        return KeptVersion(
            id: Self.identifier(operation), key: key, name: name,
            reason: KeptVersion.Reason(rawValue: kept.reason.rawValue) ?? .superseded,
            size: Int64(clamping: kept.status.size), digest: origin?.digest, created: .now,
            folder: kept.place.folder.text, file: kept.place.file.text, operation: operation,
            savedBy: origin?.savedBy,
            host: origin == nil ? nil : host, modified: origin?.saved ?? date, contentVersion: version)
    }

    /// Called when a version has been recorded.
    package func recorded(_ version: KeptVersion?) {
        guard let version else { return }
        touched.note(version.key)
        unpacked.note(version.key)
        // The save does not wait for the disk to write the copy, only for its name.
        Task { [store, packages, worker, logger] in
            do {
                let place = VersionStore.Place(
                    folder: try FileName(version.folder), file: try FileName(version.file))
                try await worker.run { _ in
                    try version.isPackage ? packages.flush(place) : store.flush(place)
                }
            } catch {
                logger.warning("a version is not on the disk yet", metadata: ["why": "\(error)"])
            }
        }
    }

    private static func date(_ status: FileStatus) -> Date {
        Date(timeIntervalSince1970: Double(status.modified) / 1_000_000_000)
    }
}
