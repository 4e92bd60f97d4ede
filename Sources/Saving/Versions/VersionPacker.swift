import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import RemoteDocuments
package import Rights
package import Storage
import Synchronization

/// Packs kept versions, so that what several of them have in common is stored once. Where files share their blocks, the
/// file system does that already and nothing is packed.
///
/// It runs after a save, never during one, on a thread of its own that rests as long as it works. It can be interrupted
/// at any moment: a version is a whole file until everything that replaces it is on the disk (`KeptContentStore`).
package final class VersionPacker: Sendable {
    private static let page = 50
    private static let patience = 30
    private let versions: KeptVersionStore
    private let journal: OperationJournal
    private let content: SupersededContent
    private let layout: StorageLayout
    private let thread = BlockingWorker.alone(label: "org.docent.packing")
    private let isPacking = Atomic<Bool>(false)
    private let logger: Logger
    private let clock: any HostClock

    package init(
        versions: KeptVersionStore, journal: OperationJournal, content: SupersededContent, layout: StorageLayout,
        logger: Logger, clock: any HostClock = SystemClock()
    ) {
        self.versions = versions
        self.journal = journal
        self.content = content
        self.layout = layout
        self.logger = logger
        self.clock = clock
    }

    // MARK: Running

    /// Packs until the task is cancelled: first what an earlier daemon left, then the versions of documents that are
    /// saved, when nothing more is saved.
    package func run() async {
        // Clients that start the daemon come first. It may end a minute later.
        try? await clock.sleep(for: .seconds(20))
        let isNeeded = await isNeeded()
        if isNeeded { await packAll() }
        var waiting: Set<ItemKey> = []
        var rounds = 0
        while !Task.isCancelled {
            let touched = content.unpacked.take()
            waiting.formUnion(touched)
            rounds += 1
            // While something is saved all the time, the disk is for that, but not for ever.
            if touched.isEmpty || rounds >= Self.patience {
                if isNeeded { for key in waiting { await attempt { try await pack(key) } } }
                (waiting, rounds) = ([], 0)
            }
            try? await clock.sleep(for: .seconds(10))
        }
    }

    /// Whether a version is being packed at this moment: a daemon that ended now would have to begin it again.
    package var isBusy: Bool { isPacking.load(ordering: .relaxed) }

    /// Packs the versions of all documents that can be packed.
    package func packAll() async {
        var last: ItemKey?
        repeat {
            let at = last
            last = nil
            await attempt {
                for key in try await versions.documentsToPack(after: at, limit: Self.page) {
                    last = key
                    await attempt { try await pack(key) }
                }
            }
            // Others get their turn: this is a pause for the processor, not a time on the clock.
            try? await Task.sleep(for: .milliseconds(20))
        } while last != nil && !Task.isCancelled
    }

    private func isNeeded() async -> Bool {
        let path = layout.versionsDirectory
        return await (try? thread.run { _ in try !Space.sharesBlocks(in: Directory(path: path)) }) ?? false
    }

    private func attempt(_ body: () async throws -> Void) async {
        guard !Task.isCancelled else { return }
        do {
            try await body()
        } catch let error as FileSystemError where error.code == .cancelled {
            // The daemon ends.
        } catch {
            logger.notice("versions were not packed; they stay whole", metadata: ["why": "\(error)"])
        }
    }

    // MARK: Steps

    /// Packs the versions of a document that have something in common with others. The only version of a document stays
    /// whole, whatever it contains.
    package func pack(_ key: ItemKey) async throws {
        let all = try await versions.packable(of: key)
        guard all.count > 1 else { return }
        for (index, version) in all.enumerated() where version.stored == nil {
            try Task.checkCancellation()
            guard try await isOver(version) else { continue }
            let neighbour = all[index > 0 ? index - 1 : 1]
            let isPacked = try await pack(version, comparedWith: neighbour)
            // It had nothing in common with the one before it, but with this one.
            if isPacked, neighbour.stored == neighbour.size { _ = try await pack(neighbour, comparedWith: nil) }
        }
    }

    private func pack(_ version: PackableVersion, comparedWith neighbour: PackableVersion?) async throws -> Bool {
        let (place, other) = (try Self.place(version), try neighbour.map(Self.place))
        isPacking.store(true, ordering: .relaxed)
        defer { isPacking.store(false, ordering: .relaxed) }
        let outcome = try await thread.run { [kept = content.kept] cancellation in
            try kept.pack(place, comparedWith: other, cancellation: cancellation)
        }
        switch outcome {
        case .packed(let bytes):
            try await versions.examined(version.id, stored: Int64(clamping: bytes))
            return true
        case .noGain:
            try await versions.examined(version.id, stored: version.size)
            return false
        case .notNow: return false
        }
    }

    private static func place(_ version: PackableVersion) throws -> VersionStore.Place {
        VersionStore.Place(folder: try FileName(version.folder), file: try FileName(version.file))
    }

    // A save that is still being published refers to the file.
    private func isOver(_ version: PackableVersion) async throws -> Bool {
        guard let operation = version.operation, let row = try await journal.operation(operation) else { return true }
        return row.state.isFinal || row.itemVersion != nil
    }
}
