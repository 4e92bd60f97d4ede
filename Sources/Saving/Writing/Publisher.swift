package import DocentInterfaces
import ExtensionHosting
package import HostCore
package import Logging
package import Records
package import RemoteDocuments
package import Rights
package import Storage
import Varlink

/// Publishes committed content to its provider: steps 6 to 9 of W, in the same way immediately and after a restart.
///
/// Every step can be repeated: the provider recognises an operation by its name and digest.
package struct Publisher: Sendable {
    private let gateway: DocumentGateway
    private let journal: OperationJournal
    private let staged: StagedContent
    private let locks: ItemLocks
    private let changes: ContentChanges
    private let pending: PendingChanges
    private let logger: Logger
    private let remote: RemotePublisher
    private let superseded: SupersededContent
    private let packages: PackagePublisher
    private let clock: any HostClock
    /// For tests; called after each numbered step.
    package let crash: CrashPoint

    package init(
        gateway: DocumentGateway, journal: OperationJournal, staged: StagedContent, locks: ItemLocks,
        changes: ContentChanges, pending: PendingChanges, remote: RemotePublisher, superseded: SupersededContent,
        packages: PackagePublisher, logger: Logger,
        crash: @escaping CrashPoint = { _ in }, clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.gateway = gateway
        self.journal = journal
        self.staged = staged
        self.locks = locks
        self.changes = changes
        self.pending = pending
        self.remote = remote
        self.superseded = superseded
        self.packages = packages
        self.logger = logger
        self.crash = crash
    }

    /// The number of attempts if the provider's process ends during a call.
    private static let attempts = 3

    // MARK: Writing

    /// Publishes a committed write of an existing document.
    ///
    /// - Throws: ``Failure`` if the provider refuses permanently; the content is then kept and `docent doctor` names
    ///   it. An unreachable provider is not an error: the write stays saved here and is sent later.
    package func publishWrite(_ row: JournaledOperation) async throws -> Wire.Item {
        guard let key = row.itemKey, let size = row.size else { throw JournalError.unreadable }
        return try await locks.withLock(on: key) {
            // Cancelling a call never undoes what is past the commit point (T3).
            try await Task {
                if let done = try await self.settled(row) { return done }
                if try await self.remote.knows(key) {
                    try await self.remote.publishWrite(row, key)
                    return try await self.current(key)
                }
                return try await self.modify(row, key, Int(size))
            }.value
        }
    }

    private func modify(
        _ row: JournaledOperation, _ key: ItemKey, _ size: Int
    ) async throws -> Wire.Item {
        do {
            let ((item, conflict), connection) = try await retrying {
                let (_, connection) = try await gateway.fileProvider(key.provider)
                let written = try await ProviderWrites(.process(connection)).modify(
                    row, key, base: row.baseVersion, from: staged)
                return (written, connection)
            }
            crash(.published)
            if let conflict {
                logger.warning("a change by another program was kept", metadata: ["as": "\(conflict)"])
            }
            let replaced = await superseded.version(
                for: row, key.sibling(item.identifier), name: row.name ?? item.name, version: row.baseVersion,
                modified: nil)
            try await finish(row, item, replaced: replaced)
            superseded.recorded(replaced)
            pending.remove(key)
            changes.contentChanged(key)
            await gateway.announceChange(key)
            return gateway.item(item, key.provider, key.domain, connection)
        } catch let failure as Failure where failure.leavesSavedChangeWaiting {
            // Saved and not lost: it is sent as soon as the provider answers again (law 6).
            logger.notice(
                "a change is waiting for its provider",
                metadata: ["item": "\(key.identifier)", "why": "\(failure.message)"])
            let item = Self.waiting(key, gateway.current(key)?.item, size)
            pending.add(key, content: try? staged.open(row.id), item: item)
            changes.contentChanged(key)
            return item
        } catch let failure as Failure {
            _ = try? await journal.failed(row.id, reason: failure.message)
            pending.remove(key)
            throw failure
        }
    }

    /// The current item of a published document. The identifier of a new document may have changed since.
    package func current(_ key: ItemKey) async throws -> Wire.Item { try await gateway.saved(remote.current(key)) }

    // While this waited, another call may have done the work, after a restart or a lost reply.
    private func settled(_ row: JournaledOperation) async throws -> Wire.Item? {
        guard let now = try await journal.operation(row.id), now.state != .staged else { return nil }
        guard let key = now.itemKey, now.itemVersion != nil else {
            throw Failure(.conflict, "The change has ended: \(now.reason ?? now.state.rawValue).")
        }
        return try await current(key)
    }

    // The item as it will be, based on what was last known of it.
    private static func waiting(_ key: ItemKey, _ known: Wire.Item?, _ size: Int) -> Wire.Item {
        var item =
            known
            ?? Wire.Item(
                reference: key.reference, name: key.identifier, contentType: "public.data", isFolder: false,
                isDownloaded: true, isUploaded: false)
        item.size = size
        item.isDownloaded = true
        item.isUploaded = false
        return item
    }

    // MARK: Creating

    /// Publishes committed content as a new document in a folder.
    ///
    /// - Parameters:
    ///   - isAwaited: whether a client gets the error and still has the source. Otherwise the content is kept, as that
    ///     of a failed operation or until the provider can be reached.
    ///   - progress: called with the number of bytes that the provider has accepted.
    /// - Throws: ``Failure`` if publishing failed. If a client is waiting, nothing is left behind here.
    package func publishCreation(
        _ row: JournaledOperation, isAwaited: Bool, progress: PublishProgress = .unheard
    ) async throws -> Wire.Item {
        guard let parent = row.parent, let name = row.name, let size = row.size else {
            throw JournalError.unreadable
        }
        let folder = ItemKey(provider: row.provider, domain: row.domain, identifier: parent)
        let item = try await locks.withLock(on: folder) {
            try await Task {
                if let done = try await self.settled(row) { return done }
                if try await self.remote.knows(folder) {
                    return try await self.createRemotely(row, folder, name, isAwaited)
                }
                return try await self.create(row, folder, name, size, isAwaited, progress)
            }.value
        }
        // If a client is waiting, its claim reports the new item.
        if !isAwaited { changes.created(item, name: name, in: folder) }
        return item
    }

    private func create(
        _ row: JournaledOperation, _ folder: ItemKey, _ name: String, _ size: Int64, _ isAwaited: Bool,
        _ progress: PublishProgress
    ) async throws -> Wire.Item {
        do {
            let (item, connection) = try await retrying {
                let (_, connection) = try await gateway.fileProvider(folder.provider)
                progress.note(.publishing, 0, of: size)
                let item = try await ProviderWrites(.process(connection)).create(
                    row, in: folder, named: name, from: staged
                ) { progress.note(.publishing, $0, of: $1) }
                return (item, connection)
            }
            crash(.published)
            try await finish(row, item)
            await gateway.announceChange(folder.sibling(item.identifier))
            return gateway.item(item, folder.provider, folder.domain, connection)
        } catch let failure as Failure {
            if isAwaited {
                _ = try? await journal.withdrawn(row.id, reason: failure.message)
                await staged.remove(row.id)
            } else if !failure.leavesSavedChangeWaiting {
                _ = try? await journal.failed(row.id, reason: failure.message)
            }
            throw failure
        }
    }

    // The document exists and can be read before its provider knows of it. A name that is known to be taken is refused
    // here. The provider was asked when the document was begun, and it has the final decision.
    private func createRemotely(
        _ row: JournaledOperation, _ folder: ItemKey, _ name: String, _ isAwaited: Bool
    ) async throws -> Wire.Item {
        do {
            try await remote.publishCreation(row, in: folder, name: name)
        } catch let failure as Failure {
            if isAwaited {
                _ = try? await journal.withdrawn(row.id, reason: failure.message)
                await staged.remove(row.id)
            } else {
                _ = try? await journal.failed(row.id, reason: failure.message)
            }
            throw failure
        }
        let key = ItemKey(
            provider: row.provider, domain: row.domain, identifier: RemotePublisher.provisionalIdentifier(row.id))
        return try await current(key)
    }

    // Steps 7 and 9: an in-place provider has the content as soon as it has published it.
    private func finish(
        _ row: JournaledOperation, _ item: Wire.ProviderItem, replaced: KeptVersion? = nil
    ) async throws {
        _ = try await journal.published(row.id, item: item.identifier, replaced: replaced)
        crash(.recorded)
        let uploaded = try await journal.uploaded(row.id, version: item.version)
        crash(.uploadRecorded)
        await staged.remove(row.id)
        if row.kind != .move, uploaded.state != .finished { _ = try await journal.finished(row.id) }
        crash(.uploaded)
    }

    private func retrying<Result>(_ body: () async throws -> Result) async throws -> Result {
        for attempt in 1... {
            do {
                return try await body()
            } catch let failure as Failure where failure.mayPassAtOnce && attempt < Self.attempts {
                try await clock.sleep(for: .milliseconds(200 * attempt))
            }
        }
        throw Failure(.unavailable, "The provider does not answer.")
    }

    // MARK: After a restart

    /// Rolls forward everything that was committed and is not finished (W, Recovery). Idempotent.
    ///
    /// - Parameter isAfterRestart: verify that the content is what was committed before it is delivered, because the
    ///   disk may have changed while no daemon ran.
    package func rollForward(isAfterRestart: Bool = false) async {
        for row in (try? await journal.pending()) ?? [] {
            do {
                if isAfterRestart, row.state == .staged, row.kind != .package { try await requireIntact(row) }
                try await rollForward(row)
            } catch {
                logger.warning("a change is still waiting", metadata: ["operation": "\(row.id)", "why": "\(error)"])
            }
        }
    }

    private func requireIntact(_ row: JournaledOperation) async throws {
        do {
            try await staged.requireIntact(row)
        } catch let error as FileSystemError where error.code == .corrupt {
            _ = try await journal.failed(row.id, reason: error.message)
            throw error
        }
    }

    private func rollForward(_ row: JournaledOperation) async throws {
        if row.kind == .package { return try await packages.rollForward(row) }
        switch row.state {
        case .staged where row.kind == .write && !row.isNew: _ = try await publishWrite(row)
        case .staged: _ = try await publishCreation(row, isAwaited: false)
        // The upload of a remote document is still due; the queue has it.
        case .published, .moveSourcePending:
            if row.uploaded == nil, let key = row.itemKey {
                if try await remote.knows(key) { return }
                // The document was deleted in the meantime, and a kill came before its unsent content was kept.
                if try await gateway.isRemote(row.provider) { return try await remote.keepUnsent(row, key) }
            }
            if row.uploaded == nil { _ = try await journal.uploaded(row.id) }
            await staged.remove(row.id)
            if row.kind != .move || row.sourceFinished != nil { _ = try await journal.finished(row.id) }
        case .uploaded where row.kind != .move || row.sourceFinished != nil:
            await staged.remove(row.id)
            _ = try await journal.finished(row.id)
        default: break
        }
    }
}
