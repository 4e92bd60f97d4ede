package import DocentInterfaces
import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import RemoteDocuments
package import Rights
package import Storage
import Varlink

/// Publishes committed packages to their providers, in the same way immediately and after a restart. Every step can be
/// repeated: the provider recognises an operation by its name and digest.
package struct PackagePublisher: Sendable {
    private let gateway: DocumentGateway
    private let journal: OperationJournal
    private let locks: ItemLocks
    private let changes: ContentChanges
    private let staging: PackageStaging
    private let metadata: StagedMetadata
    private let superseded: SupersededContent
    private let worker: BlockingWorker
    private let remote: RemotePackages
    private let logger: Logger
    private let clock: any HostClock
    /// For tests; called after each numbered step.
    package let crash: CrashPoint

    package init(
        gateway: DocumentGateway, journal: OperationJournal, locks: ItemLocks, changes: ContentChanges,
        staging: PackageStaging, metadata: StagedMetadata, superseded: SupersededContent, worker: BlockingWorker,
        remote: RemotePackages, logger: Logger,
        crash: @escaping CrashPoint = { _ in }, clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.gateway = gateway
        self.journal = journal
        self.locks = locks
        self.changes = changes
        self.staging = staging
        self.metadata = metadata
        self.superseded = superseded
        self.worker = worker
        self.remote = remote
        self.logger = logger
        self.crash = crash
    }

    /// The number of attempts if the provider's process ends during one.
    private static let attempts = 3

    /// Refuses a package whose provider cannot replace it in one step.
    ///
    /// - Throws: ``Failure`` `NotSupported`.
    package func requireSupport(_ key: ItemKey, name: String) async throws {
        if try await gateway.isRemote(key.provider) { return }
        let (_, connection) = try await gateway.fileProvider(key.provider)
        guard connection.features.contains("packages") else {
            throw Failure(
                .notSupported, "\(key.provider) cannot replace \"\(name)\", a package, in one step.",
                suggestion: "Copy it elsewhere, or ask the authors of \(key.provider).", provider: key.provider)
        }
    }

    /// Publishes a committed package.
    ///
    /// - Parameter isAwaited: whether a client gets the error. The content of a new package is then not kept, because
    ///   the client has it.
    /// - Throws: ``Failure`` if the provider refuses permanently; the content is then kept and `docent doctor` names
    ///   it. An unreachable provider is not an error: the change stays saved here and is sent later.
    package func publish(_ row: JournaledOperation, isAwaited: Bool = true) async throws -> Wire.Item {
        guard let key = row.itemKey ?? row.folderKey, let digest = row.digest else { throw JournalError.unreadable }
        return try await locks.withLock(on: key) {
            // Cancelling a call never undoes what is past the commit point (T3).
            try await Task {
                if let done = try await self.settled(row) { return done }
                let manifest = try await self.worker.run { _ in try self.staging.manifest(row.id, digest: digest) }
                let isRemote = try await self.gateway.isRemote(key.provider)
                guard row.item == nil else {
                    return isRemote
                        ? try await self.publishRemotely(row, key, manifest)
                        : try await self.replace(row, key, manifest, digest)
                }
                do {
                    guard isRemote else { return try await self.create(row, key, manifest, digest) }
                    return try await self.publishRemotely(
                        row, self.remote.makePackage(row, in: key), manifest)
                } catch let failure as Failure {
                    await self.giveUp(row, failure, isAwaited: isAwaited)
                    throw failure
                }
            }.value
        }
    }

    // While this waited for the lock, another call may have done the work, after a restart or a lost reply.
    private func settled(_ row: JournaledOperation) async throws -> Wire.Item? {
        guard let now = try await journal.operation(row.id), now.state != .staged else { return nil }
        guard let key = now.itemKey, now.itemVersion != nil else {
            throw Failure(.conflict, "The change has ended: \(now.reason ?? now.state.rawValue).")
        }
        return try await gateway.saved(key)
    }

    // MARK: In place

    private func replace(
        _ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest, _ digest: String
    ) async throws -> Wire.Item {
        do {
            let (reply, connection) = try await retrying { try await send(row, key, manifest, digest) }
            crash(.published)
            if let conflict = reply.conflict {
                logger.warning("a package that another program changed was kept", metadata: ["as": "\(conflict)"])
            }
            let item = try ProviderWrites.require(reply.item, key.provider)
            let replaced = await superseded.version(
                ofPackage: key.sibling(item.identifier), for: row, name: item.name)
            _ = try await journal.published(
                row.id, item: item.identifier, replaced: replaced, package: Self.version(item))
            crash(.recorded)
            superseded.recorded(replaced)
            try await finish(row)
            note(manifest, key)
            var published = try await gateway.whole(gateway.item(item, key.provider, key.domain, connection))
            // The version that was published, even if another program has changed the package since.
            if let version = Self.version(item) { published.version = version }
            return published
        } catch let failure as Failure where failure.leavesSavedChangeWaiting {
            // Saved and not lost: it is sent as soon as the provider answers again (law 6).
            logger.notice(
                "a package is waiting for its provider",
                metadata: ["item": "\(key.identifier)", "why": "\(failure.message)"])
            return Self.waiting(key)
        } catch let failure as Failure {
            _ = try? await journal.failed(row.id, reason: failure.message)
            throw failure
        }
    }

    // The folder is locked, so a second creation finds the name taken.
    private func create(
        _ row: JournaledOperation, _ folder: ItemKey, _ manifest: PackageManifest, _ digest: String
    ) async throws -> Wire.Item {
        let (reply, connection) = try await retrying { try await send(row, folder, manifest, digest) }
        crash(.published)
        let item = try ProviderWrites.require(reply.item, folder.provider)
        _ = try await journal.published(row.id, item: item.identifier, package: Self.version(item))
        crash(.recorded)
        try await finish(row)
        return try await gateway.whole(gateway.item(item, folder.provider, folder.domain, connection))
    }

    private static func version(_ item: Wire.ProviderItem) -> String? {
        item.version.flatMap { PackageVersion.isOne($0) ? $0 : nil }
    }

    // Content that its client still has is not kept. Otherwise it waits for the provider or, after a refusal, for the
    // user.
    private func giveUp(_ row: JournaledOperation, _ failure: Failure, isAwaited: Bool) async {
        if isAwaited {
            guard (try? await journal.operation(row.id))?.state == .staged else { return }
            _ = try? await journal.withdrawn(row.id, reason: failure.message)
            await metadata.remove(row.id)
            try? await worker.run { [staging] _ in try staging.remove(row.id) }
        } else if !failure.leavesSavedChangeWaiting {
            _ = try? await journal.failed(row.id, reason: failure.message)
        }
    }

    private func send(
        _ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest, _ digest: String
    ) async throws -> (FileProviderInterface.CommitPackage.Reply, ExtensionConnection) {
        let (_, connection) = try await gateway.fileProvider(key.provider)
        let isNew = row.item == nil
        let package = ProviderWrites.Package(
            key: key,
            parameters: .init(
                domain: key.domain, identifier: isNew ? nil : key.identifier, parent: isNew ? key.identifier : nil,
                name: isNew ? row.name : nil, baseVersion: isNew ? nil : row.baseVersion,
                elements: Self.parts(manifest), digest: digest, operation: row.id),
            manifest: manifest)
        let reply = try await ProviderWrites(.process(connection)).replace(
            package, metadata, open: { try staging.open($0, of: row.id) }, commits: { crash(.renamed) })
        return (reply, connection)
    }

    /// The description of the elements for the provider. Pure.
    static func parts(_ manifest: PackageManifest) -> [Wire.PackagePart] {
        manifest.elements.map { element in
            Wire.PackagePart(
                path: element.path.text, isFolder: element.isFolder, size: (element.content?.size).map(Int.init),
                digest: element.content?.digest,
                version: element.content == nil ? element.unchanged.map { $0.version ?? "" } : nil,
                from: element.content == nil ? element.source?.path.text : nil)
        }
    }

    /// The maximum size of a list of elements in a message, in bytes (T4).
    package static let room = 900_000

    /// Refuses, before the commit point, a list of elements that does not fit into a message to the provider.
    ///
    /// - Throws: ``Failure`` `NotSupported`.
    static func requireRoom(_ manifest: PackageManifest, limit: Int = room) throws {
        let size = try JSONEncoder().encode(parts(manifest)).count
        guard size > limit else { return }
        throw Failure(
            .notSupported,
            "The list of the package's \(manifest.elements.count) elements has \(size) bytes; the limit is \(limit).",
            suggestion: "Nothing was saved: use fewer elements, or shorter names.")
    }

    // Readers of the elements must notice that these have changed.
    private func note(_ manifest: PackageManifest, _ key: ItemKey) {
        let touched = manifest.elements.compactMap(\.base) + manifest.removed
        for base in touched where !base.isFolder {
            if let identifier = base.identifier { changes.contentChanged(key.sibling(identifier)) }
        }
        changes.contentChanged(key)
    }

    private func finish(_ row: JournaledOperation) async throws {
        let uploaded = try await journal.uploaded(row.id)
        crash(.uploadRecorded)
        await metadata.remove(row.id)
        try? await worker.run { _ in try staging.remove(row.id) }
        if uploaded.state != .finished { _ = try await journal.finished(row.id) }
        crash(.uploaded)
    }

    private func retrying<Result>(_ body: () async throws -> Result) async throws -> Result {
        for attempt in 1... {
            do {
                return try await body()
            } catch let failure as Failure {
                // A restarted process does not know the package in progress, so it is begun again.
                let isRestart = failure.mayPassAtOnce || failure.kind == .missing
                guard isRestart, attempt < Self.attempts else { throw failure }
                try await clock.sleep(for: .milliseconds(200 * attempt))
            }
        }
        throw Failure(.unavailable, "The provider does not answer.")
    }

    private static func waiting(_ key: ItemKey) -> Wire.Item {
        Wire.Item(
            reference: key.reference, name: key.identifier, contentType: "com.apple.package", isFolder: true,
            isDownloaded: true, isUploaded: false)
    }

    // MARK: Remote

    private func publishRemotely(
        _ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest
    ) async throws -> Wire.Item {
        do {
            try await remote.publish(row, key, manifest)
        } catch let failure as Failure where failure.leavesSavedChangeWaiting {
            logger.notice(
                "a package is waiting for its provider",
                metadata: ["item": "\(key.identifier)", "why": "\(failure.message)"])
        } catch let failure as Failure {
            _ = try? await journal.failed(row.id, reason: failure.message)
            throw failure
        }
        changes.contentChanged(key)
        var published = try await gateway.saved(key)
        // A change made elsewhere in the meantime must reach the client as news, so the version returned is the saved
        // one.
        if published.version != nil { published.version = PackageElements.version(manifest, savedBy: row.id) }
        return published
    }

    // MARK: After a restart

    /// Continues what was committed and is not finished. Idempotent.
    package func rollForward(_ row: JournaledOperation) async throws {
        switch row.state {
        case .staged: _ = try await publish(row, isAwaited: false)
        case .published, .uploaded:
            guard let key = row.itemKey, let digest = row.digest else { return }
            try await finishPublished(row, key, digest)
        default: break
        }
    }

    private func finishPublished(_ row: JournaledOperation, _ key: ItemKey, _ digest: String) async throws {
        guard try await gateway.isRemote(key.provider) else { return try await finish(row) }
        try await locks.withLock(on: key) {
            guard let now = try await journal.operation(row.id), !now.state.isFinal, now.state != .failed else {
                return
            }
            let manifest = try await worker.run { _ in try staging.manifest(row.id, digest: digest) }
            _ = try await remote.finish(now, key, manifest)
        }
    }
}
