package import Access
import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import RemoteDocuments
package import Rights
package import Saving
package import Storage
import Synchronization

/// Merges conflicts of texts without asking, in the places for which the user has turned that on.
///
/// Each conflict has one save, which its name identifies. The conflict stays until that save has been published, so
/// after a kill at any moment the next daemon begins again, or settles what is saved already. If another machine was
/// first, the provider refuses the save; it becomes a conflict itself, which is merged with what is current then. As
/// every machine makes the same text of the same three texts, two of them come to rest with one content.
package final class ConflictMerger: Sendable {
    /// How many times in a row a merged content is merged again, because somebody else was faster.
    private static let mostGenerations = 8
    private static let pause: Duration = .seconds(15)
    private static let pauseAfterFailure: Duration = .seconds(120)

    private struct State {
        /// The versions of documents with which a conflict cannot be merged.
        var decided: [String: String] = [:]
        /// When a conflict is tried again that could not be merged for another reason.
        var postponed: [String: ContinuousClock.Instant] = [:]
    }

    private let service: VersionService
    private let journal: OperationJournal
    private let policies: VersionPolicies
    private let writes: WriteService
    private let gateway: DocumentGateway
    private let hierarchy: ItemHierarchy
    private let states: UploadStates
    private let changes: ContentChanges
    private let audit: AuditLog
    private let worker: BlockingWorker
    private let logger: Logger
    private let clock: any HostClock
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let state = Mutex(State())

    package init(
        service: VersionService, journal: OperationJournal, policies: VersionPolicies, writes: WriteService,
        gateway: DocumentGateway, hierarchy: ItemHierarchy, states: UploadStates, changes: ContentChanges,
        audit: AuditLog, worker: BlockingWorker, logger: Logger, clock: any HostClock = SystemClock()
    ) {
        self.service = service
        self.journal = journal
        self.policies = policies
        self.writes = writes
        self.gateway = gateway
        self.hierarchy = hierarchy
        self.states = states
        self.changes = changes
        self.audit = audit
        self.worker = worker
        self.logger = logger
        self.clock = clock
        changes.followVersions { [signal] in signal.continuation.yield() }
        policies.follow { [signal] in signal.continuation.yield() }
    }

    // MARK: Running

    /// Merges what there is, and what appears later, until the task is cancelled. Only one task may call it.
    package func run() async {
        await withTaskGroup { [self] group in
            // What could not be merged is tried again.
            group.addTask { [self] in
                while !Task.isCancelled {
                    signal.continuation.yield()
                    try? await clock.sleep(for: Self.pause)
                }
            }
            for await _ in signal.stream { await mergeAll() }
            group.cancelAll()
        }
    }

    /// Merges all conflicts that can be merged now. Only one task at a time may call it.
    package func mergeAll() async {
        guard policies.mergeAnywhere, let open = try? await service.conflicts(of: nil) else { return }
        let known = Set(open.map(\.id))
        state.withLock { state in
            state.decided = state.decided.filter { known.contains($0.key) }
            state.postponed = state.postponed.filter { known.contains($0.key) }
        }
        for (key, conflicts) in Dictionary(grouping: open, by: \.key) {
            guard !Task.isCancelled else { return }
            if await policies.policy(of: key).merges { await merge(key, conflicts) }
        }
    }

    /// Merges the conflicts of a document, the newest first: what was saved later began with what was saved before.
    private func merge(_ key: ItemKey, _ conflicts: [KeptVersion]) async {
        var covered: Set<String> = []
        for version in conflicts.reversed() where version.reason == .conflict && !covered.contains(version.id) {
            let isDue = state.withLock { state in state.postponed[version.id].map { $0 <= clock.now } ?? true }
            do {
                guard let origin = try await ConflictOrigin.find(version, in: journal) else { continue }
                covered.formUnion(origin.earlier)
                if isDue { try await merge(version, origin) }
            } catch {
                guard !Task.isCancelled else { return }
                state.withLock { $0.postponed[version.id] = clock.now + Self.pauseAfterFailure }
                logger.notice(
                    "a conflict is not merged yet",
                    metadata: ["version": "\(version.id)", "why": "\(FailureMapping.failure(error).message)"])
            }
        }
    }

    // MARK: One conflict

    private func merge(_ version: KeptVersion, _ origin: ConflictOrigin) async throws {
        guard let operation = try await operation(for: version) else { return }
        if let save = try await journal.outcome(operation, .merging) {
            // Published, perhaps by another daemon that ended right then.
            if save.itemVersion != nil { return try await settle(version, origin, isSaved: true) }
            guard save.state == .open || save.state == .abandoned else { return }
        }
        // A save that is not sent yet may become a conflict itself.
        guard !states.contains(version.key),
            let base = origin.content(among: try await service.versions.list(of: version.key)),
            [base, version].allSatisfy({ $0.size <= LineMerge.mostBytes }), try await isText(version.key)
        else { return }
        let current = try await gateway.content(version.key)
        guard let name = current.item.version, state.withLock({ $0.decided[version.id] != name }) else { return }
        let contents = [try await service.open(base), try await service.open(version), current.descriptor]
        let texts = try await worker.run { _ in try contents.map { try $0.beginning(LineMerge.mostBytes + 1) } }
        let merged = try await worker.run { _ -> OpenDescriptor?? in
            guard texts.allSatisfy(LineMerge.isText),
                let merged = LineMerge.merge(base: texts[0], texts[1], texts[2]), LineMerge.isText(merged)
            else { return .none }
            // Everything may be in the current content already.
            return .some(merged == texts[2] ? nil : try BoundedMemoryFile.reading(merged))
        }
        guard let merged else { return state.withLock { $0.decided[version.id] = name } }
        if let merged {
            let saved = try await writes.saveMerged(merged, of: version.key, over: name, operation: operation) {
                [service] in try await service.versions.version(version.id)?.isUnresolved == true
            }
            guard saved != nil else { return }
        }
        try await settle(version, origin, isSaved: merged != nil)
    }

    /// Whether a document can be merged, as far as its description says.
    private func isText(_ key: ItemKey) async throws -> Bool {
        let item = try await gateway.item(key)
        guard !item.isFolder, item.symbolicLinkTarget == nil, item.version != nil,
            item.size.map({ $0 <= LineMerge.mostBytes }) ?? false
        else { return false }
        return try await !hierarchy.isPackageOrInOne(key)
    }

    /// The name of the save that merges a conflict; nil if it has been merged too many times.
    private func operation(for version: KeptVersion) async throws -> String? {
        var generation = 1
        if version.savedBy == .merging, let operation = version.operation,
            let row = try await journal.operation(operation)
        {
            generation = Self.generation(of: row.operation) + 1
        }
        return generation <= Self.mostGenerations ? "merged-\(generation)-\(version.id)" : nil
    }

    /// How often the content of a save was merged. Pure.
    static func generation(of operation: String) -> Int {
        let parts = operation.split(separator: "-", maxSplits: 2)
        return parts.count == 3 && parts[0] == "merged" ? Int(parts[1]) ?? 0 : 0
    }

    private func settle(_ version: KeptVersion, _ origin: ConflictOrigin, isSaved: Bool) async throws {
        try await audit.recordMerged(
            version.key, name: version.name,
            detail: isSaved
                ? "conflict \(version.id) merged with the current content"
                : "conflict \(version.id) was in the current content already")
        let settled = try await service.versions.settle(origin.earlier.union([version.id]), of: version.key)
        for id in settled { changes.conflictResolved(id, of: version.key) }
        if !settled.isEmpty { changes.descriptionChanged(version.key) }
        logger.notice("a conflict was merged", metadata: ["version": "\(version.id)", "saved": "\(isSaved)"])
    }
}
