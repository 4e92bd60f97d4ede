import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import RemoteDocuments
package import Rights
package import Storage

/// Keeps the versions within their limits: those of a document soon after a save, all of them once a day.
///
/// It works in small steps and stores nothing in between, so after a kill it just begins again. Records go before
/// files; a file whose record is gone is found by the daily search. Versions that wait for the user's decision are
/// never touched.
package struct VersionThinner: Sendable {
    private static let batch = 25
    private static let page = 50
    private static let window = 1000
    private let versions: KeptVersionStore
    private let journal: OperationJournal
    private let policies: VersionPolicies
    private let content: SupersededContent
    private let layout: StorageLayout
    private let worker: BlockingWorker
    private let logger: Logger
    private let clock: any HostClock

    package init(
        versions: KeptVersionStore, journal: OperationJournal, policies: VersionPolicies, content: SupersededContent,
        layout: StorageLayout, worker: BlockingWorker, logger: Logger, clock: any HostClock = SystemClock()
    ) {
        self.versions = versions
        self.journal = journal
        self.policies = policies
        self.content = content
        self.layout = layout
        self.worker = worker
        self.logger = logger
        self.clock = clock
    }

    // MARK: Running

    /// Thins until the task is cancelled. Daemons come and go: all versions are gone through once a day, not at each
    /// start.
    package func run() async {
        let last = try? await versions.clock().trusted
        var next = clock.now + Self.pause(since: last, at: clock.date)
        while !Task.isCancelled {
            if clock.now >= next {
                await thinAll()
                next = clock.now + Self.day
            }
            let touched = content.touched.take()
            for key in touched { await attempt { try await thin(key, ages: true) } }
            if !touched.isEmpty { await attempt { try await freeSpace() } }
            try? await clock.sleep(for: .seconds(5))
        }
    }

    /// The time until the versions of all documents are due again; never less than what a start needs for itself.
    static func pause(since last: Date?, at now: Date) -> Duration {
        guard let last, last <= now else { return start }
        return max(start, day - .seconds(min(now.timeIntervalSince(last), 2 * 86_400)))
    }

    private static let (day, start): (Duration, Duration) = (.seconds(86_400), .seconds(30))

    /// Thins the versions of all documents, and removes files that belong to no version.
    package func thinAll() async {
        var ages = false
        await attempt {
            let read = try await versions.clock().read(clock.date)
            ages = read.isTrusted
            if !ages { logger.warning("the clock has jumped; no version is removed because of its age for a day") }
            try await versions.set(read.next)
        }
        var last: ItemKey?
        repeat {
            let (at, mayUseAges) = (last, ages)
            last = nil
            await attempt {
                for key in try await versions.documents(after: at, limit: Self.page) {
                    last = key
                    try await thin(key, ages: mayUseAges)
                }
            }
            // Others get their turn: this is a pause for the processor, not a time on the clock.
            try? await Task.sleep(for: .milliseconds(20))
        } while last != nil && !Task.isCancelled
        await attempt { try await freeSpace() }
        await attempt { try await removeStrays() }
    }

    private func attempt(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            logger.warning("cannot thin out versions; it is tried again", metadata: ["why": "\(error)"])
        }
    }

    // MARK: Steps

    /// Thins the versions of a document.
    package func thin(_ key: ItemKey, ages: Bool) async throws {
        let candidates = try await versions.ordinary(of: key)
        guard !candidates.isEmpty else { return }
        let surplus = VersionThinning.surplus(
            of: candidates, await policies.policy(of: key), at: clock.date, ages: ages)
        try await remove(surplus)
    }

    /// Removes the least valuable versions until all of them together fit. A packed version may free less than its
    /// size, because others need its parts; then the next ones follow.
    package func freeSpace() async throws {
        let path = layout.versionsDirectory
        let free = try await worker.run { _ in
            let directory = try Directory(path: path)
            return try withExtendedLifetime(directory) { try Space.available(on: directory.descriptor) }
        }
        while !Task.isCancelled {
            let used = try await versions.space().bytes + content.sharedBytes()
            let excess = used - policies.global.room(free: Int64(clamping: free))
            guard excess > 0 else { return }
            let oldest = try await versions.oldest(Self.window)
            let between = oldest.filter { $0.next != nil }
            let ids = VersionThinning.freeing(excess, of: between.isEmpty ? oldest : between, at: clock.date)
            guard !ids.isEmpty else { return }
            try await remove(ids)
        }
    }

    private func remove(_ ids: [String]) async throws {
        var rest = ids[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let some = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(Self.batch)
            let places = try await versions.places(of: some)
            try await versions.remove(some)
            try await removeFiles(places)
            // Whoever waits for the database comes first.
            await Task.yield()
        }
    }

    private func removeFiles(_ places: [(folder: String, file: String)]) async throws {
        try await worker.run { [content] _ in
            try content.kept.remove(
                places.map { VersionStore.Place(folder: try FileName($0.folder), file: try FileName($0.file)) })
        }
    }

    /// Removes what was put aside for saves that were never published, and files whose records are gone.
    package func removeStrays() async throws {
        for folder in try await worker.run({ [content] _ in try content.store.folders() }) {
            let all = try await worker.run { [content] _ in try content.store.files(in: folder) }
            // After the files were listed and before the records are read.
            let unrecorded = content.unrecorded.current
            var rest = all.filter { !unrecorded.contains($0.operation) }[...]
            while !rest.isEmpty, !Task.isCancelled {
                let some = Array(rest.prefix(Self.window))
                rest = rest.dropFirst(Self.window)
                let unknown = try await versions.unknown(
                    of: some.map { SupersededContent.identifier($0.operation) })
                var gone: [VersionStore.Place] = []
                for file in some where unknown.contains(SupersededContent.identifier(file.operation)) {
                    if try await isOver(file.operation) { gone.append(file.place) }
                }
                try await worker.run { [content, gone] _ in try content.kept.remove(gone) }
            }
        }
    }

    // A save that is not published yet will still refer to its file.
    private func isOver(_ operation: String) async throws -> Bool {
        guard let row = try await journal.operation(operation) else { return true }
        return row.state.isFinal || row.itemVersion != nil
    }
}
