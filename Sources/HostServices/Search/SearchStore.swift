import FoundationEssentials
import HostCore
package import Logging
package import Records
import Rights
package import Storage

/// Opens the index for searching when it is first needed, and replaces it when it is damaged. Everything else works
/// without it.
package actor SearchStore {
    private let directory: String
    private let worker: BlockingWorker
    private let logger: Logger
    private var opened: SearchIndex?
    private var opening: Task<SearchIndex, any Error>?
    private var hasEnded = false
    private var isIncomplete = false
    /// Counts the times that the index was opened or made with unknown contents.
    private(set) var comparisonsNeeded = 0

    package init(layout: StorageLayout, worker: BlockingWorker, logger: Logger) {
        directory = layout.dataDirectory.text
        self.worker = worker
        self.logger = logger
    }

    /// Whether anybody has searched on this machine, so that there is an index to keep up.
    package nonisolated var exists: Bool { SearchIndex.exists(in: directory) }

    /// The index's file.
    package nonisolated var path: String { directory + "/" + SearchIndex.fileName }

    /// Runs a body with the index; opens it, and makes it, if necessary.
    ///
    /// - Throws: what the body throws. If the index is damaged, the next call has a new one.
    package func use<Value: Sendable>(
        _ body: @Sendable (SearchIndex) async throws -> Value
    ) async throws -> Value {
        let index = try await index()
        do {
            return try await body(index)
        } catch let error as HostDatabaseError {
            if error.code == .damaged { await replace(index) }
            throw error
        }
    }

    private func index() async throws -> SearchIndex {
        if let opened { return opened }
        guard !hasEnded else { throw CancellationError() }
        let task: Task<SearchIndex, any Error>
        if let opening {
            task = opening
        } else {
            task = Task { [directory, worker] in
                let (index, isRebuilt) = try await worker.run { _ in try SearchIndex.open(directory: directory) }
                self.opened(index, isRebuilt: isRebuilt)
                return index
            }
            opening = task
        }
        defer { opening = nil }
        return try await task.value
    }

    private func opened(_ index: SearchIndex, isRebuilt: Bool) {
        opened = index
        isIncomplete = false
        if isRebuilt {
            logger.warning("the index for searching was damaged; it is made again", metadata: ["path": "\(path)"])
        }
        if index.needsComparison { comparisonsNeeded += 1 }
    }

    /// Sets a damaged index aside. Nothing else is affected: it is made again from what is known.
    private func replace(_ index: SearchIndex) async {
        guard opened === index else { return }
        opened = nil
        logger.warning("the index for searching is damaged; it is made again", metadata: ["path": "\(path)"])
        do {
            try await worker.run { _ in
                try? index.close(isComplete: false)
                try SearchIndex.setAside(index.path)
            }
        } catch {
            logger.error("the index for searching cannot be set aside", metadata: ["why": "\(error)"])
        }
    }

    /// Makes the index again, as if it were damaged.
    package func rebuild() async throws {
        let index = try await index()
        await replace(index)
        _ = try await self.index()
    }

    /// Records that something could not be stored, for lack of space for instance: the index is compared with what is
    /// known when it is next opened.
    package func noteIncomplete() { isIncomplete = true }

    /// The size of its files in bytes; 0 if it is not open.
    package var bytes: Int { opened?.bytes ?? 0 }

    /// Closes the index.
    package func end() async {
        hasEnded = true
        guard let index = opened else { return }
        opened = nil
        let isComplete = !isIncomplete
        try? await worker.run { _ in try index.close(isComplete: isComplete) }
    }
}
