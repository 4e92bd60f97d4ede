package import Access
package import DocentInterfaces
package import HostCore
package import Records
package import RemoteDocuments
package import Rights
package import Storage
import Varlink

/// Clients' changes of packages: staged element by element, committed as a whole (M4, W).
///
/// Thread-safe. If the client or the daemon goes before the commit point, the new content is kept as a recovered
/// version (W0): a zip archive, because a part of a package is not a document.
package final class PackageService: Sendable {
    private let gateway: DocumentGateway
    private let access: AccessControl
    private let journal: OperationJournal
    private let coordination: CoordinationService
    private let elements: PackageElements
    private let publisher: PackagePublisher
    private let staging: PackageStaging
    private let recovery: PackageRecovery
    private let keeper: VersionKeeper
    private let metadata: StagedMetadata
    private let worker: BlockingWorker
    private let sessions: OpenWrites<PackageSession>
    private let shares: StagingShares

    package init(
        gateway: DocumentGateway, access: AccessControl, journal: OperationJournal, coordination: CoordinationService,
        elements: PackageElements, publisher: PackagePublisher, staging: PackageStaging, recovery: PackageRecovery,
        keeper: VersionKeeper, metadata: StagedMetadata, worker: BlockingWorker, shares: StagingShares,
        limits: ContentLimits = ContentLimits()
    ) {
        self.metadata = metadata
        // The write service decides how long they are kept.
        let sessions = OpenWrites<PackageSession>(resumeSeconds: 0, limits: limits.writes)
        self.sessions = sessions
        self.shares = shares
        shares.count { sessions.holdings(\.stagedBytes) }
        self.gateway = gateway
        self.access = access
        self.journal = journal
        self.coordination = coordination
        self.elements = elements
        self.publisher = publisher
        self.staging = staging
        self.recovery = recovery
        self.keeper = keeper
        self.worker = worker
    }

    // MARK: Before the commit point

    /// Begins to write a package. A repeated call whose first reply was lost finds the session that it began.
    ///
    /// - Parameters:
    ///   - isReplacing: whether the new content starts empty.
    ///   - claim: refused with `ClaimLost` unless the session holds this claim.
    package func begin(
        _ session: Session, _ key: ItemKey, isReplacing: Bool, operation: String, claim: String?
    ) async throws -> PackageSession {
        try OperationTable.check(operation)
        try await access.require(session, key, .readWrite, for: "write")
        if let claim { try coordination.requireHeld(session, claim: claim, writing: key) }
        let name = try await requirePackage(key)
        try await gateway.requireWritable(key.provider)
        let base = try await elements.all(of: key)
        let version = PackageElements.version(base)
        var request = OperationRequest(
            write: key, operation: operation, principal: session.principal, baseVersion: version)
        request.kind = .package
        return try await begin(
            session, request, name: name,
            .init(base: base, baseVersion: version, isReplacing: isReplacing))
    }

    /// Begins to make a new package in a folder. Never replaces anything.
    ///
    /// - Parameters:
    ///   - contentType: its type, if its name does not determine it.
    /// - Throws: ``Failure``: `InvalidArgument` for a name or type that is not a package's, `Conflict` if the name is
    ///   taken.
    package func begin(
        _ session: Session, new given: String, contentType: String?, in folder: ItemKey, operation: String
    ) async throws -> PackageSession {
        try OperationTable.check(operation)
        let name = try ItemPath.name(given)
        try await access.require(session, folder, .readWrite, for: "create")
        guard elements.isPackage(named: name, type: contentType) else {
            throw Failure(
                .invalidArgument, "A folder named \"\(name)\" is not a package: it would be an ordinary folder.",
                suggestion:
                    "Choose the extension of a package type, such as .rtfd, or make the folder with docent mkdir.")
        }
        let parent = try await gateway.bare(folder)
        guard parent.isFolder, !elements.isPackage(parent) else {
            throw Failure(
                .invalidArgument, "\"\(parent.name)\" is not a folder.", suggestion: "Choose a folder to put it in.")
        }
        try await gateway.requireWritable(folder.provider)
        try await publisher.requireSupport(folder, name: name)
        var request = OperationRequest(create: name, in: folder, operation: operation, principal: session.principal)
        request.kind = .package
        let known = try await journal.outcome(operation, session.principal)
        if known == nil, try await gateway.child(name, of: folder) != nil {
            throw Failure(
                .conflict, "There is already a \"\(name)\".", suggestion: "Choose another name.",
                provider: folder.provider)
        }
        return try await begin(
            session, request, name: name,
            .init(base: [], baseVersion: PackageElements.version([]), isReplacing: false))
    }

    private func begin(
        _ session: Session, _ request: OperationRequest, name: String, _ start: PackageStaging.Session
    ) async throws -> PackageSession {
        let operation = request.operation
        var row = try await journal.begin(request)
        if row.state == .abandoned { row = try await journal.reopened(row.id) }
        guard row.state == .open else {
            throw Failure(.conflict, "The operation \(operation) was used before.", suggestion: "Choose a new name.")
        }
        // A repeated call, after a lost reply or a restart of the daemon: the session already exists.
        if let known = try await sessions.session(row, resume: resume) {
            guard session.own(operation: operation) else { throw CancellationError() }
            return known
        }
        let (staging, holder) = (staging, session.principal.shareHolder)
        do throws(PrincipalShares.Refusal) {
            try sessions.reserve(row.id, for: holder)
        } catch {
            _ = try? await journal.abandoned(row.id, reason: "its client has too many open")
            throw error.failure(
                holder, "packages open for writing", suggestion: "Commit or abandon one of them first.")
        }
        do {
            let begun = try await worker.run { [row] _ in
                try staging.begin(row.id, name: name)
                return try PackageSession(row: row, start, staging: staging)
            }
            guard session.own(operation: operation) else { throw CancellationError() }
            sessions.add(row.id, begun)
            return begun
        } catch {
            sessions.release(row.id)
            await Task { [row] in await self.drop(row, reason: "it could not begin") }.value
            throw error
        }
    }

    @Sendable private func resume(_ row: JournaledOperation) async throws -> PackageSession {
        try await worker.run { [staging] _ in try PackageSession(resuming: row, staging: staging) }
    }

    /// - Returns: the name of the package.
    private func requirePackage(_ key: ItemKey) async throws -> String {
        let item = try await gateway.bare(key)
        guard elements.isPackage(item) else {
            throw Failure(
                .invalidArgument,
                "\"\(item.name)\" is \(item.isFolder ? "a folder but not a package" : "a single file").",
                suggestion: item.isFolder ? "Write the documents in it one by one." : "Write it as a document.")
        }
        try await publisher.requireSupport(key, name: item.name)
        return item.name
    }

    /// The change that one call of `StageElement` requests.
    package enum Change: Sendable {
        /// New content, in a regular file open for reading.
        case content(OpenDescriptor)
        /// A folder.
        case folder
        /// The element is removed.
        case removed
        /// The element that was at `from` when the change began.
        case kept(from: String)
    }

    /// Makes one change to the package in progress. Its content has been copied when this returns.
    package func stage(_ session: Session, _ operation: String, _ text: String, _ change: Change) async throws {
        let package = try await open(session, operation)
        let path = try PackagePath(text)
        switch change {
        case .content(let source): try await add(source, at: path, package, for: session)
        case .folder: try await make(.makeFolder(path), package)
        case .removed: try await make(.remove(path), package)
        case .kept(let base):
            let from = try PackagePath(base)
            if from == path {
                try await make(.keep(path), package)
            } else {
                try await session.causing("kept in a package") {
                    try await move(from, to: path, package, for: session)
                }
            }
        }
    }

    private func make(_ change: PackageChange, _ package: PackageSession) async throws {
        await drop(try await worker.run { _ in try package.apply(change) }, package)
    }

    private func add(
        _ source: OpenDescriptor, at path: PackagePath, _ package: PackageSession, from: PackagePath? = nil,
        for session: Session
    ) async throws {
        let file = try package.nextFile()
        let (id, staging) = (package.row.id, staging)
        let bytes = try FileStatus(of: source.number).size
        try await shares.adding(bytes, to: id, for: session.principal.shareHolder) { [worker] in
            let content = try await worker.run { cancellation in
                try withExtendedLifetime(source) {
                    try staging.add(source.number, as: file, at: path, to: id, cancellation: cancellation)
                }
            }
            do {
                try await make(.write(path, content, source: from), package)
            } catch {
                await drop([file], package)
                throw error
            }
        }
    }

    // A provider that replaces packages as a whole takes the element from its old path. For any other provider it has
    // to be copied as a new element, which must exist once the old one is gone.
    private func move(
        _ from: PackagePath, to path: PackagePath, _ package: PackageSession, for session: Session
    ) async throws {
        guard let base = package.base(from), let identifier = base.identifier, let key = package.row.itemKey else {
            throw Failure(.notFound, "There was no \"\(from)\" in the package.", suggestion: "Stage its content.")
        }
        guard !base.isFolder else {
            throw Failure(
                .notSupported, "A folder of a package can only be taken over under its own path.",
                suggestion: "Take over its elements one by one.")
        }
        guard try await gateway.isRemote(key.provider) else { return try await make(.move(from, to: path), package) }
        let content = try await gateway.content(key.sibling(identifier))
        guard base.version.map(content.item.isVersion) ?? (content.item.version == nil) else {
            throw Self.changed(from)
        }
        let source = try withExtendedLifetime(content.descriptor) {
            try OpenDescriptor.reopenReadOnly(content.descriptor.number)
        }
        try await add(source, at: path, package, from: from, for: session)
    }

    private func drop(_ files: [String], _ package: PackageSession) async {
        guard !files.isEmpty else { return }
        let (id, staging) = (package.row.id, staging)
        try? await worker.run { _ in for file in files { try staging.drop(file, of: id) } }
    }

    private func open(_ session: Session, _ operation: String) async throws -> PackageSession {
        guard let row = try await journal.outcome(operation, session.principal), row.state == .open,
            let package = try await sessions.session(row, resume: resume)
        else {
            throw Failure(
                .notFound, "No package is being written under the operation \(operation).",
                suggestion: "Begin a new one; nothing was changed.")
        }
        // After a restart another session of the same client may continue (D3).
        _ = session.own(operation: operation)
        return package
    }

    /// How many elements of a package a change removes or replaces, at least 1.
    package func replacedElements(_ session: Session, _ operation: String) async throws -> Int {
        max(try await open(session, operation).replacedElements, 1)
    }

    // MARK: The commit point

    /// Publishes a package: W (2) to (9). Durable when it returns.
    ///
    /// - Parameters:
    ///   - claim: the claim for the write, which the session must hold at the commit point. Without it, a claim is made
    ///     for the time of publishing.
    ///   - isRestoring: whether an earlier version takes the place of the package.
    /// - Throws: ``Failure``: `Conflict` if an element that was to be kept was changed in the meantime, `NoSpace` if
    ///   there is no room to keep what would be replaced; nothing is changed then.
    package func commit(
        _ session: Session, _ row: JournaledOperation, claim: String?, isRestoring: Bool = false
    ) async throws -> Wire.Item {
        switch row.state {
        case .open: break
        // A repeated call: returns the outcome.
        case .staged: return try await publisher.publish(row)
        case .published, .uploaded, .finished:
            guard let key = row.itemKey else { throw JournalError.unreadable }
            return try await gateway.saved(key)
        default:
            throw Failure(.conflict, "The write has ended: \(row.reason ?? row.state.rawValue).")
        }
        let package = try await open(session, row.operation)
        let manifest = try package.close()
        do {
            if let key = row.itemKey {
                return try await coordination.withClaim(session, claim: claim, writing: key) {
                    [self] record -> Wire.Item in
                    let committed = try await self.commit(
                        session, row, key, manifest, claim, isRestoring: isRestoring)
                    let item = try await publisher.publish(committed)
                    record.changed(key, version: item.version)
                    return item
                }
            }
            guard let folder = row.folderKey, let name = row.name else { throw JournalError.unreadable }
            return try await coordination.withClaim(session, claim: claim, creating: name, in: folder) {
                [self] record -> Wire.Item in
                let committed = try await self.commit(session, row, folder, manifest, nil)
                let item = try await publisher.publish(committed)
                record.appeared(item, name: item.name, in: folder)
                return item
            }
        } catch {
            package.reopen()
            throw error
        }
    }

    private func commit(
        _ session: Session, _ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest, _ claim: String?,
        isRestoring: Bool = false
    ) async throws -> JournaledOperation {
        if try await !gateway.isRemote(key.provider) {
            try PackagePublisher.requireRoom(manifest)
            if row.item != nil { try await requireUnchanged(manifest, key) }
        }
        let staging = staging
        let frozen = try await worker.run { _ in try staging.freeze(row.id, manifest) }
        publisher.crash(.linked)
        if row.item != nil {
            try await keeper.prepare(row, package: key, manifest, elements, isRestoring: isRestoring)
        }
        try Task.checkCancellation()
        // After a revocation, a commit is refused even if its session began earlier (I3).
        try await access.require(session, key, .readWrite, for: "commit")
        if let claim { try coordination.requireHeld(session, claim: claim, writing: key) }
        let committed = try await journal.staged(
            row.id, digest: frozen.digest, size: frozen.size, baseVersion: row.baseVersion)
        publisher.crash(.committed)
        sessions.remove(row.id)
        session.disown(operation: row.operation)
        return committed
    }

    // Kept elements are at the provider. If one is missing or different, the package would be neither the old nor the
    // new one.
    private func requireUnchanged(_ manifest: PackageManifest, _ key: ItemKey) async throws {
        let now = try await elements.all(of: key)
        let versions = Dictionary(now.map { ($0.path, $0.version) }, uniquingKeysWith: { first, _ in first })
        for element in manifest.elements where element.content == nil {
            guard let base = element.unchanged else { continue }
            guard let version = versions[base.path], version.isSame(as: base.version) else {
                throw Self.changed(base.path)
            }
        }
    }

    private static func changed(_ path: PackagePath) -> Failure {
        Failure(
            .conflict, "\"\(path)\" in the package was changed by another program meanwhile.",
            suggestion: "Nothing was saved: read the package again, then save.")
    }

    // MARK: Abandoning

    /// Drops an uncommitted change and its staged content.
    package func abandon(_ session: Session, _ row: JournaledOperation) async {
        session.disown(operation: row.operation)
        await drop(row, reason: "dropped by the client")
    }

    /// Keeps the staged content of a change whose client or daemon has ended, neither published nor dropped (W0).
    ///
    /// - Parameter event: what happened, for the journal.
    package func keep(_ row: JournaledOperation, _ event: String) async {
        sessions.remove(row.id)
        await metadata.remove(row.id)
        await recovery.keep(row, event)
    }

    /// Keeps a change of an earlier daemon so that its client can continue it (D3).
    ///
    /// - Returns: false if not everything needed is recorded.
    package func await(_ row: JournaledOperation) async -> Bool {
        let isThere = try? await worker.run { [staging] _ in try staging.session(row.id) != nil }
        guard isThere == true else { return false }
        sessions.await(row)
        return true
    }

    /// Whether any change is kept for its client to continue.
    package var isAwaiting: Bool { sessions.isAwaiting }

    /// Removes and returns the changes that no client has continued.
    package func takeAwaited() -> [JournaledOperation] { sessions.takeAwaited() }

    // MARK: Attributes beside the content

    /// Stages the attributes of a write, or of a creation that has not begun yet (K10). Durable before the commit point
    /// of the operation.
    package func stageAttributes(
        _ session: Session, _ operation: String, _ values: Wire.ItemMetadata, thumbnail: OpenDescriptor?
    ) async throws {
        try OperationTable.check(operation)
        guard let row = try await journal.outcome(operation, session.principal) else {
            return try await metadata.put(operation, of: session.principal, values, thumbnail: thumbnail)
        }
        guard row.state == .open else {
            throw Failure(
                .conflict, "The operation \(operation) has been committed or has ended.",
                suggestion: "Stage attributes before the commit.")
        }
        try await metadata.put(row.id, values, thumbnail: thumbnail)
    }

    private func drop(_ row: JournaledOperation, reason: String) async {
        sessions.remove(row.id)
        await metadata.remove(row.id)
        let staging = staging
        // The files are removed first: on a full disk, the journal needs their space.
        try? await worker.run { _ in try staging.remove(row.id) }
        _ = try? await journal.abandoned(row.id, reason: reason)
    }
}
