package import Access
package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Records
package import RemoteDocuments
package import Rights
package import Storage
import Synchronization
import Varlink

/// Clients' write sessions, from the staged file to the durable reply (W).
///
/// Thread-safe.
package final class WriteService: Sendable {
    let gateway: DocumentGateway
    private let access: AccessControl
    let journal: OperationJournal
    let staged: StagedContent
    let publisher: Publisher
    let operations: OperationTable
    let coordination: CoordinationService
    private let packages: PackageService
    private let versions: KeptVersionStore
    /// Keeps what write sessions replace.
    package let keeper: VersionKeeper
    private let limiter: ChangeLimiter
    private let noise: NoiseCheck
    private let open: OpenWrites<StagedWrite>
    private let shares: StagingShares
    private let isEnding = Atomic(false)
    private let clock: any HostClock

    /// - Parameters:
    ///   - resumeSeconds: how long after a restart a client may resume its sessions (D3).
    ///   - shares: what a principal may have staged.
    ///   - limits: what a principal may have open.
    package init(
        gateway: DocumentGateway, access: AccessControl, journal: OperationJournal, staged: StagedContent,
        publisher: Publisher, operations: OperationTable, coordination: CoordinationService, packages: PackageService,
        versions: KeptVersionStore, keeper: VersionKeeper, limiter: ChangeLimiter, noise: NoiseCheck,
        shares: StagingShares,
        resumeSeconds: Double = 60, limits: ContentLimits = ContentLimits(), clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.coordination = coordination
        self.packages = packages
        self.versions = versions
        self.keeper = keeper
        self.limiter = limiter
        self.noise = noise
        let open = OpenWrites<StagedWrite>(resumeSeconds: resumeSeconds, limits: limits.writes)
        self.open = open
        self.shares = shares
        shares.count { open.holdings(\.stagedBytes) }
        self.gateway = gateway
        self.access = access
        self.journal = journal
        self.staged = staged
        self.publisher = publisher
        self.operations = operations
    }

    // MARK: Cancelling

    /// Runs a body that the client can cancel by the operation name it gave (T3).
    package func cancellable<Result: Sendable>(
        _ operation: String, _ session: Session, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await operations.run(operation, session.principal, body)
    }

    /// Cancels a running operation of the client.
    package func cancel(_ operation: String, _ session: Session) -> Bool {
        operations.cancel(operation, session.principal)
    }

    // MARK: Sessions

    /// Begins a write session: step 1.
    ///
    /// - Parameters:
    ///   - base: the version that the client has read. If the document has another one, the save counts as made beside
    ///     it, and the staged file starts empty.
    ///   - claim: refused with `ClaimLost` unless the session holds this claim.
    ///   - other: the program for which the client writes.
    package func begin(
        _ session: Session, _ key: ItemKey, replacing: Bool, base: String? = nil, operation: String,
        claim: String? = nil, for other: DownloadCause.OtherProgram? = nil
    ) async throws -> (file: OpenDescriptor, baseVersion: String?, isOutdated: Bool) {
        try OperationTable.check(operation)
        guard base.map({ (1...Self.longestVersion).contains($0.utf8.count) }) ?? true else {
            throw Failure(.invalidArgument, "A version has 1 to \(Self.longestVersion) bytes.")
        }
        try await access.require(session, key, .readWrite, for: "write")
        if let claim { try coordination.requireHeld(session, claim: claim, writing: key) }
        let item = try await gateway.item(key)
        guard !item.isFolder else { throw Failure(.invalidArgument, "\"\(item.name)\" is a folder.") }
        guard item.symbolicLinkTarget == nil else { throw SymbolicLinks.refusal(item.name, key.provider) }
        try await gateway.requireWritable(key.provider)
        let isOutdated = base.map { !item.isVersion($0) } ?? false
        let request = OperationRequest(
            write: key, operation: operation, principal: session.principal,
            baseVersion: isOutdated ? base : item.version, name: item.name)
        let (row, file) = try await begin(session, request) { [gateway] in
            replacing || isOutdated
                ? nil
                : try await session.causing("opened for writing", for: other) {
                    try await gateway.content(key).descriptor
                }
        }
        return (file, row.baseVersion, isOutdated)
    }

    /// The longest version that a client may name, in bytes.
    private static let longestVersion = 1024

    /// Begins to make a new document in a folder: step 1. Never replaces anything.
    ///
    /// - Parameters:
    ///   - contentType: its type, if its name does not determine it.
    ///   - claim: refused with `ClaimLost` unless the session holds this claim.
    /// - Throws: ``Failure``: `Conflict` if the name is taken, `InvalidArgument` for a name that no document can have.
    package func begin(
        _ session: Session, new given: String, contentType: String?, in folder: ItemKey, operation: String,
        claim: String? = nil
    ) async throws -> OpenDescriptor {
        try OperationTable.check(operation)
        let name = try ItemPath.name(given)
        try await access.require(session, folder, .readWrite, for: "create")
        if let claim { try coordination.requireHeld(session, claim: claim, writing: folder) }
        let parent = try await gateway.bare(folder)
        guard parent.isFolder else {
            throw Failure(
                .invalidArgument, "\"\(parent.name)\" is not a folder.", suggestion: "Choose a folder to put it in.")
        }
        guard try await !coordination.hierarchy.isPackageOrInOne(folder) else {
            throw Failure(
                .invalidArgument, "\"\(parent.name)\" is a package, or is inside one.",
                suggestion: "Write the package as a whole, with the new element in it.")
        }
        try await gateway.requireWritable(folder.provider)
        // A repeated call whose first reply was lost finds what it began. A provider that cannot be asked now refuses a
        // taken name at the commit.
        if try await journal.outcome(operation, session.principal) == nil,
            (try? await gateway.child(name, of: folder)) != nil
        {
            throw Failure(
                .conflict, "There is already a \"\(name)\".", suggestion: "Choose another name.",
                provider: folder.provider)
        }
        var request = OperationRequest(
            create: name, in: folder, operation: operation, principal: session.principal, contentType: contentType)
        // As with every write, only the client has the content, so what is staged outlives the client (W0, D3).
        request.kind = .write
        return try await begin(session, request) { nil }.file
    }

    private func begin(
        _ session: Session, _ request: OperationRequest, from source: () async throws -> OpenDescriptor?
    ) async throws -> (row: JournaledOperation, file: OpenDescriptor) {
        let operation = request.operation
        var row = try await journal.begin(request)
        // Abandoned before anything was written, because the daemon ended during the same call: it can begin again.
        if row.state == .abandoned { row = try await journal.reopened(row.id) }
        guard row.state == .open else {
            throw Failure(.conflict, "The operation \(operation) was used before.", suggestion: "Choose a new name.")
        }
        // A repeated call, after a lost reply or a restart of the daemon: the session already exists.
        if let known = try await open.session(row, resume: staged.resume) {
            guard session.own(operation: operation) else {
                open.remove(row.id)
                await keep(row, "its client ended")
                throw CancellationError()
            }
            return (row, try known.makeClientDescriptor())
        }
        do throws(PrincipalShares.Refusal) {
            try open.reserve(row.id, for: session.principal.shareHolder)
        } catch {
            _ = try? await journal.abandoned(row.id, reason: "its client has too many open")
            throw error.failure(
                session.principal.shareHolder, "documents open for writing",
                suggestion: "Commit or abandon one of them first.")
        }
        do {
            let source = try await source()
            // The initial content of a document is copied into the staged file.
            let bytes = try source.map { try FileStatus(of: $0.number).size } ?? 0
            let holder = session.principal.shareHolder
            let begun = try await shares.adding(bytes, to: row.id, for: holder) { [staged, open, row] in
                let begun = try await staged.begin(row, from: source, expected: 0)
                guard session.own(operation: operation) else {
                    // The client died while its session began, so it has written nothing.
                    await staged.remove(row.id)
                    throw CancellationError()
                }
                open.add(row.id, begun)
                return begun
            }
            return (row, try begun.makeClientDescriptor())
        } catch {
            open.release(row.id)
            // In a separate task, because this one is cancelled when the client has gone.
            await Task { [journal, row] in _ = try? await journal.abandoned(row.id, reason: "it could not begin") }
                .value
            throw error
        }
    }

    /// Publishes a write session: steps 2 to 9. Durable when it returns.
    ///
    /// - Parameters:
    ///   - claim: the claim for the write, which the session must hold at the commit point. Without it, a claim is made
    ///     for the time of publishing and waited for before that point.
    ///   - isRestoring: whether an earlier version takes the place of the content.
    package func commit(
        _ session: Session, _ operation: String, claim: String? = nil, isRestoring: Bool = false
    ) async throws -> Wire.Item {
        let saved = try await committed(session, operation, claim, isRestoring)
        access.noteUsed(session, saved)
        return saved
    }

    private func committed(
        _ session: Session, _ operation: String, _ claim: String?, _ isRestoring: Bool
    ) async throws -> Wire.Item {
        try await cancellable(operation, session) { [self] in
            let row = try await row(session, operation)
            if row.state == .open, let key = row.itemKey, !isRestoring || session.principal.isConfined {
                try await limiter.require(session, key) {
                    // The user's own programs save packages with many elements.
                    guard row.kind == .package, session.principal.isConfined else { return 1 }
                    return try await packages.replacedElements(session, row.operation)
                }
            }
            if row.kind == .package {
                return try await packages.commit(session, row, claim: claim, isRestoring: isRestoring)
            }
            switch row.state {
            case .open: break
            // A repeated call: returns the outcome.
            case .staged where row.isNew:
                return try await publisher.publishCreation(row, isAwaited: true)
            case .staged: return try await publisher.publishWrite(row)
            case .published, .uploaded, .finished:
                guard let key = row.itemKey else { throw JournalError.unreadable }
                return try await publisher.current(key)
            default:
                // A write that ended because its right was revoked is refused with that error (I3).
                if let key = row.itemKey ?? row.folderKey {
                    try await access.require(session, key, .readWrite, for: "commit")
                }
                throw Failure(.conflict, "The write has ended: \(row.reason ?? row.state.rawValue).")
            }
            guard let writing = try await open.session(row, resume: staged.resume) else {
                throw Failure(.notFound, "The write session is gone.", suggestion: "Begin a new one.")
            }
            // After a restart another session of the same client may commit (D3).
            _ = session.own(operation: operation)
            if let key = row.itemKey {
                return try await coordination.withClaim(session, claim: claim, writing: key) {
                    [self] record -> Wire.Item in
                    try await keeper.prepare(row, key, isRestoring: isRestoring)
                    let committed = try await commit(
                        session, row, key, writing, claim, isRestoring: isRestoring)
                    let item = try await publisher.publishWrite(committed)
                    record.changed(item.reference.key, version: item.version)
                    return item
                }
            }
            guard let folder = row.folderKey, let name = row.name else { throw JournalError.unreadable }
            return try await coordination.withClaim(session, claim: claim, creating: name, in: folder) {
                [self] record -> Wire.Item in
                let committed = try await commit(session, row, folder, writing, claim)
                let item = try await publisher.publishCreation(committed, isAwaited: true)
                record.appeared(item, name: item.name, in: folder)
                return item
            }
        }
    }

    /// Steps 2 to 5. They run only once the claim is granted, so that a refused commit can be repeated.
    ///
    /// - Parameter key: the written document; for a new document its folder.
    private func commit(
        _ session: Session, _ row: JournaledOperation, _ key: ItemKey, _ writing: StagedWrite,
        _ claim: String?, isRestoring: Bool = false
    ) async throws -> JournaledOperation {
        let frozen = try await staged.freeze(writing, alwaysCopies: session.principal.isConfined)
        try Task.checkCancellation()
        // After a revocation, a commit is refused even if its session began earlier (I3).
        try await access.require(session, key, .readWrite, for: "commit")
        if let claim { try coordination.requireHeld(session, claim: claim, writing: key) }
        if !row.isNew, !isRestoring || session.principal.isConfined { try await requireNoNoise(session, row, key) }
        let committed = try await journal.staged(
            row.id, digest: frozen.digest, size: Int64(frozen.size), baseVersion: row.baseVersion)
        publisher.crash(.committed)
        open.remove(row.id)
        session.disown(operation: row.operation)
        return committed
    }

    /// Refuses a frozen content with which its client turns many documents into noise. It can be frozen again.
    private func requireNoNoise(_ session: Session, _ row: JournaledOperation, _ key: ItemKey) async throws {
        do {
            try await limiter.requireNoNoise(session, key) { [noise] in
                await noise.turnsIntoNoise(row.id, of: key)
            }
        } catch {
            try await staged.thaw(row.id)
            throw error
        }
    }

    /// Drops a write session.
    ///
    /// - Parameter reason: if given, keep the staged content as a version for this reason; not for packages.
    package func abandon(_ session: Session, _ operation: String, keep reason: String? = nil) async throws {
        let kept = reason.map { KeptVersion.Reason(rawValue: $0) }
        guard reason == nil || kept == .recovered || kept == .replaced else {
            throw Failure(.invalidArgument, "\"\(reason ?? "")\" is not a reason to keep a version.")
        }
        let row = try await row(session, operation)
        guard row.state == .open else { return }
        if row.kind == .package { return await packages.abandon(session, row) }
        open.remove(row.id)
        session.disown(operation: operation)
        if let reason = kept ?? nil { return await keep(row, "its client abandoned it", as: reason) }
        // The file is removed first: on a full disk, the journal needs its space.
        await staged.remove(row.id)
        _ = try await journal.abandoned(row.id, reason: "dropped by the client")
    }

    /// Ends a write session, and keeps its content as a version that the client adds.
    ///
    /// - Parameters:
    ///   - name: what it is called; nil for the name of the document.
    ///   - modified: when the content was made; nil for now.
    func keepAdded(_ session: Session, _ row: JournaledOperation, name: String?, modified: Date?) async {
        open.remove(row.id)
        session.disown(operation: row.operation)
        await keep(row, "its client added a version", as: .added, name: name, modified: modified)
    }

    /// Keeps what the sessions of a client that has gone have written, neither published nor dropped (W0).
    ///
    /// While the daemon itself is stopping, nothing is done: the client may resume the sessions with the next daemon
    /// (D3).
    package func sessionEnded(_ session: Session, _ owned: Set<String>) async {
        for operation in owned where !isEnding.load(ordering: .acquiring) {
            // A running commit decides first: past its commit point there is nothing to keep.
            await operations.end(operation, session.principal)
            guard let row = try? await journal.outcome(operation, session.principal), row.state == .open else {
                continue
            }
            guard row.kind != .package else {
                await packages.keep(row, "its client ended")
                continue
            }
            open.remove(row.id)
            await keep(row, "its client ended")
        }
    }

    /// Called when clients' rights were revoked: the write sessions that depended on them end, and staged content is
    /// kept unpublished (I3).
    ///
    /// A commit past its commit point continues. There is one short wait for all of them, because each may have to wait
    /// for its provider.
    ///
    /// - Parameters:
    ///   - principals: whose rights; nil is everyone's.
    ///   - domain: the domain in which rights ended; nil is any.
    package func rightsEnded(
        _ principals: Set<Principal>?, in sessions: [Session], of domain: DomainKey? = nil
    ) async {
        var ending: [(row: JournaledOperation, principal: Principal)] = []
        for session in sessions where principals?.contains(session.principal) ?? true {
            for operation in session.openOperations {
                guard let row = try? await journal.outcome(operation, session.principal), row.state == .open,
                    let key = row.itemKey ?? row.folderKey, domain == nil || domain == DomainKey(key),
                    access.lastGround(session.principal, key, .readWrite) == nil
                else { continue }
                session.disown(operation: operation)
                ending.append((row, session.principal))
            }
        }
        await JointWait.forEach(ending, atMost: .seconds(5), clock: clock) { [self] in
            await end($0.row, $0.principal, "its right was revoked")
        }
    }

    private func end(_ given: JournaledOperation, _ principal: Principal, _ event: String) async {
        await operations.end(given.operation, principal)
        guard let row = try? await journal.outcome(given.operation, principal), row.state == .open else { return }
        if row.kind == .package { return await packages.keep(row, event) }
        open.remove(row.id)
        await keep(row, event)
    }

    private func keep(
        _ row: JournaledOperation, _ event: String, as reason: KeptVersion.Reason = .recovered, name: String? = nil,
        modified: Date? = nil
    ) async {
        if let kept = await staged.recover(row, as: VersionStore.Reason(rawValue: reason.rawValue) ?? .recovered) {
            // The version of a document that was never published belongs to its folder.
            if let key = row.itemKey ?? row.folderKey {
                try? await versions.add(
                    KeptVersion(
                        id: row.id, key: key, name: name ?? row.name ?? key.identifier, reason: reason,
                        size: Int64(kept.size),
                        folder: kept.place.folder.text, file: kept.place.file.text, operation: row.id,
                        savedBy: row.principal, host: InstanceLock.currentHostName(), modified: modified ?? row.changed)
                )
            }
            _ = try? await journal.recovered(
                row.id, reason: "\(event) before it was committed; its content is kept as a recovered version")
        } else {
            _ = try? await journal.abandoned(row.id, reason: "\(event) before anything was written")
        }
    }

    // MARK: Outcomes

    /// The outcome of an operation of this client.
    package func outcome(
        _ session: Session, _ operation: String
    ) async throws -> DocumentsInterface.Outcome.Reply {
        guard let row = try await journal.outcome(operation, session.principal) else {
            return .init(state: "unknown")
        }
        let state =
            switch row.state {
            case .open: "open"
            case .staged: "committed"
            case .published, .moveSourcePending, .uploaded, .finished: "finished"
            case .failed, .abandoned, .recovered: "failed"
            }
        return .init(state: state, message: row.reason, reference: row.itemKey?.reference)
    }

    /// Records whether the source of a move was deleted or kept (W Move (g)).
    package func moveFinished(_ session: Session, _ operation: String, removed: Bool, reason: String?) async throws {
        let row = try await row(session, operation)
        guard row.kind == .move else { throw Failure(.invalidArgument, "\(operation) is not a move.") }
        let done = try await journal.moveSourceFinished(row.id)
        // A remote provider may still need the content; the upload then finishes the operation.
        if done.uploaded != nil, done.state != .finished { _ = try await journal.finished(row.id) }
    }

    private func row(_ session: Session, _ operation: String) async throws -> JournaledOperation {
        guard let row = try await journal.outcome(operation, session.principal) else {
            throw Failure(.notFound, "There is no operation \(operation).", suggestion: "Begin a new one.")
        }
        return row
    }

    // MARK: After a restart

    /// Keeps sessions of an earlier daemon for their clients to resume (D3), and after that as recovered versions.
    /// Content of a creation is not kept: its client still has the source. Neither is merged content, which is made
    /// again. Files that belong to no operation are removed. Idempotent.
    package func recoverOpenSessions() async {
        guard let rows = try? await journal.pending() else { return }
        for row in rows where row.state == .open {
            if row.kind == .package {
                let isAwaited = open.resumeSeconds > 0 ? await packages.await(row) : false
                if !isAwaited { await packages.keep(row, "the daemon ended") }
            } else if row.kind != .write || row.principal == .merging {
                await staged.remove(row.id)
                _ = try? await journal.abandoned(row.id, reason: "the daemon ended before the copy was safe")
            } else if open.resumeSeconds > 0, await staged.isComplete(row.id) {
                open.await(row)
            } else {
                await keep(row, "the daemon ended")
            }
        }
        guard let left = try? await journal.pending(), let failures = try? await journal.failures() else { return }
        await staged.removeOrphans(known: Set((left + failures).map(\.id)))
        guard isAwaitingClients else { return }
        Task { [self] in
            try? await clock.sleep(for: .seconds(open.resumeSeconds))
            for row in open.takeAwaited() { await keep(row, "the daemon ended") }
            for row in packages.takeAwaited() { await packages.keep(row, "the daemon ended") }
        }
    }

    /// Whether sessions of an earlier daemon can still be resumed. The daemon must not exit as idle then (D2).
    package var isAwaitingClients: Bool { open.isAwaiting || packages.isAwaiting }

    /// Called before the daemon stops: sessions that lose their connections through that stay as they are.
    package func prepareForEnd() { isEnding.store(true, ordering: .releasing) }
}
