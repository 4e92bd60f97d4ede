import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Records
import Rights
package import Storage

/// Publishes a complete download: the last step, after which readers get it.
package struct DownloadPublisher: Sendable {
    private let index: ItemIndex
    private let states: UploadStates
    private let places: ItemPlaces
    private let local: LocalStore
    private let replaced: ReplacedCopies
    private let files: DownloadFiles
    private let locks: ItemLocks
    private let changes: ContentChanges
    private let layout: StorageLayout
    private let worker: BlockingWorker

    package init(
        index: ItemIndex, states: UploadStates, places: ItemPlaces, local: LocalStore,
        replaced: ReplacedCopies, files: DownloadFiles, locks: ItemLocks, changes: ContentChanges,
        layout: StorageLayout, worker: BlockingWorker
    ) {
        self.index = index
        self.states = states
        self.places = places
        self.local = local
        self.replaced = replaced
        self.files = files
        self.locks = locks
        self.changes = changes
        self.layout = layout
        self.worker = worker
    }

    /// Waits until no save or upload of an item is being recorded.
    func waitForRecording(of key: ItemKey) async throws { try await locks.withLock(on: key) {} }

    /// Cuts off what an earlier attempt left after the end of the content, and returns the length.
    func trim(_ file: PartialFile, offset: Int64, began: Int64, completed: Int64) async throws -> Int64 {
        try await worker.run { _ in
            let length = Int64(clamping: try file.size)
            let excess = DownloadPlan.excess(offset: offset, began: began, completed: completed, length: length)
            guard let excess, excess >= 0 else { return length }
            try file.truncate(to: UInt64(excess))
            return excess
        }
    }

    /// Publishes a file of the checked length as the content of the described version.
    ///
    /// Runs under the same lock as saves: if something was saved in the meantime, it stays and the download is dropped.
    /// The copy that it replaces is kept as a version: it may have been saved here, and whoever replaced it on the
    /// server may never have had it.
    func publish(_ file: PartialFile, length: Int64, _ item: RemoteItem, said: ItemDescription) async throws {
        let store = try await places.store(item.key)
        let sealed = try await worker.run { cancellation in
            do {
                try file.requireRoom(for: UInt64(clamping: length))
            } catch let error as FileSystemError {
                throw DownloadRefusal(item, noRoom: error)
            }
            return try file.seal(cancellation: cancellation).status.size
        }
        guard sealed == UInt64(clamping: length) else {
            throw DownloadRefusal(item, "it changed after it was complete")
        }
        try await locks.withLock(on: item.key) { [self] in
            // The record decides: a save may be between writing its record and setting its state.
            guard !states.contains(item.key), let now = try await index.item(item.key),
                LocalVersion(now.local?.version) == nil
            else {
                await files.discard(item, file)
                return
            }
            try await keepReplaced(now, by: file)
            let name = now.description.name
            try await worker.run { [layout] _ in
                let place = store.place(for: item.key.identifier, name: Array(name.utf8))
                // The file being replaced is our own earlier copy of the provider's content.
                let base = try store.open(place).map { try FileStatus(of: $0.number).stamp }
                _ = try store.publish(
                    file.name, in: file.directory, for: item.key.identifier, at: place, replacing: base,
                    item: ConflictKeeper.folder(item.key), operation: "download-" + file.name.description,
                    versions: VersionStore(layout: layout))
            }
            try await record(item, now, LocalCopy(name: name, version: said.version, size: length), said)
        }
    }

    private func keepReplaced(_ now: RemoteItem, by file: PartialFile) async throws {
        guard let copy = now.local, try await !places.holds(copy, of: now.key, sameAs: file) else { return }
        let isDescribed = copy.version.isSame(as: now.description.version)
        try await replaced.keep(
            copy, of: now.key, replacedBy: file.name.description,
            modified: isDescribed ? now.description.modificationDate : nil)
    }

    private func record(
        _ item: RemoteItem, _ now: RemoteItem, _ copy: LocalCopy, _ said: ItemDescription
    ) async throws {
        if !said.version.isSame(as: now.description.version) || said.size != now.description.size {
            var description = now.description
            description.version = said.version
            description.size = said.size ?? copy.size
            description.modificationDate = said.modificationDate ?? description.modificationDate
            _ = try await index.merge(
                [description], provider: item.key.provider, domain: item.key.domain, at: .now)
        }
        try await index.setLocal(item.key, copy)
        try await files.published(item)
        changes.contentChanged(item.key)
        await local.contentArrived(now, former: now.local, now: copy)
    }
}
