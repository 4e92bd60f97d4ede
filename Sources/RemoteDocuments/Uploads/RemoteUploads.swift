import DocentInterfaces
import FoundationEssentials
import HostCore
import Logging
package import Records
package import Rights
import Storage
import Transfers
import Varlink

/// Sends what is committed here to its provider: step 9 of W. The changes of one document are sent in the order in
/// which they were saved.
///
/// Every step may be repeated: the provider recognises an operation by its name and digest, and the content stays in
/// `Uploads` until the journal records that the provider has it.
package struct RemoteUploads: Sendable {
    let parts: RemoteParts

    package init(_ parts: RemoteParts) { self.parts = parts }

    // MARK: Queueing

    /// Queues the unsent changes of a document. Does not wait for the upload.
    package func enqueue(_ key: ItemKey, name: String) async {
        if parts.states.state(of: key) == nil { parts.states.set(.queued, of: key) }
        await parts.queue.enqueue(
            TransferKey(kind: .upload, item: key), name: name, priority: .background
        ) { report in try await self.send(key, report) }
    }

    /// Queues every unsent change in the journal: at start, and at the user's request.
    package func enqueueAll() async {
        for row in (try? await parts.journal.unsent(provider: nil, domain: nil)) ?? [] { await resume(row) }
    }

    /// Queues the change of one row again.
    package func resume(_ row: JournaledOperation) async {
        guard let key = row.itemKey, let item = try? await parts.index.item(key) else { return }
        if row.state == .failed {
            parts.states.set(.failed(row.reason ?? "it failed"), of: key)
        } else {
            parts.states.set(.queued, of: key)
            await enqueue(key, name: item.description.name)
        }
    }

    // MARK: Sending

    /// Sends all committed changes of a document, oldest first. A repetition starts with the remaining ones.
    ///
    /// Once the document has another identifier, they are left to the transfer under that one: later saves are queued
    /// there, and two transfers would send the same change twice.
    func send(_ given: ItemKey, _ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws {
        var key = given
        while let row = try await next(key) {
            guard row.itemKey == given else { return await resume(row) }
            try Task.checkCancellation()
            try await requireSettled(key)
            parts.states.set(.uploading, of: key)
            do {
                key = try await attempt(row, key, report)
            } catch let failure as Failure {
                throw failure
            } catch {
                parts.states.set(.queued, of: key)
                guard !(error is CancellationError) else { throw error }
                // Trouble on this machine says nothing about the change: it is sent again.
                throw Failure(
                    .unavailable, FailureMapping.failure(error).message,
                    suggestion: "It is tried again; `docent doctor` checks this installation.")
            }
        }
        try await noteState(parts.current(key))
    }

    private func attempt(
        _ row: JournaledOperation, _ key: ItemKey, _ report: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws -> ItemKey {
        do {
            return try await send(row, key, report)
        } catch let failure as Failure {
            // Another task has sent it with its package.
            if try await isSent(row) { return try await parts.current(key) }
            try await settle(failure, row, key)
            return key
        }
    }

    private func isSent(_ row: JournaledOperation) async throws -> Bool {
        try await parts.journal.operation(row.id)?.isUnsent != true
    }

    // After an interrupted move it is unknown which identifier the provider has the item under. Sent under the old one,
    // the change would look like a change of a deleted document. ``TreeLock`` queues it again once the outcome is
    // known.
    private func requireSettled(_ key: ItemKey) async throws {
        guard try await parts.moves.source(of: key, in: parts.index) != nil else { return }
        parts.states.set(.queued, of: key)
        throw PendingMoves.unsettled(key)
    }

    // Under the lock: a change that is just being recorded as sent must not be sent again, and the document may have
    // another identifier afterwards.
    private func next(_ key: ItemKey) async throws -> JournaledOperation? {
        try await parts.locks.withLock(on: key) {
            try await parts.journal.unsent(of: parts.current(key)).first {
                // A package is sent by its parts.
                $0.state != .failed && $0.state != .staged && $0.kind != .package
            }
        }
    }

    // The state shown to clients follows the journal.
    private func noteState(_ key: ItemKey) async throws {
        let rows = try await parts.journal.unsent(of: key)
        if let failed = rows.first(where: { $0.state == .failed }) {
            parts.states.set(.failed(failed.reason ?? "it failed"), of: key)
        } else {
            parts.states.set(rows.isEmpty ? nil : .queued, of: key)
        }
    }

    private func send(
        _ row: JournaledOperation, _ key: ItemKey, _ report: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws -> ItemKey {
        if let package = row.package, try await RemotePackageUploads(self).send(package, report) {
            // The provider has the whole package, including this element.
            guard try await isSent(row) else {
                throw Failure(.unavailable, "The element was not sent with its package.", provider: row.provider)
            }
            return try await parts.current(key)
        }
        let isNew = try await parts.index.item(key)?.isProvisional == true
        let description: Wire.ProviderItem
        if isNew, let parent = row.parent, let name = row.name {
            let folder = ItemKey(provider: row.provider, domain: row.domain, identifier: parent)
            try await parts.deletions.makeRoom(for: name, in: folder)
            description = try await writes.create(row, in: folder, named: name, from: parts.staged) { report($0, $1) }
        } else {
            description = try await modify(row, key, report)
        }
        parts.crash(.sent)
        return try await confirm(row, key, ItemDescription(description))
    }

    private func modify(
        _ row: JournaledOperation, _ key: ItemKey, _ report: (Int64, Int64?) -> Void
    ) async throws -> Wire.ProviderItem {
        let (item, conflict) = try await writes.modify(row, key, base: base(of: row), from: parts.staged) {
            report($0, $1)
        }
        if let conflict {
            parts.logger.warning("the provider kept a change by somebody else", metadata: ["as": "\(conflict)"])
        }
        return item
    }

    private var writes: ProviderWrites { ProviderWrites(.account(parts.access)) }

    /// The version that the provider must still have. If the writer started from a local version, it is the version
    /// that the earlier change produced.
    package func base(of row: JournaledOperation) async throws -> String? {
        var version = row.baseVersion
        // Saves can form a chain, each based on the one before; a provider's version ends it.
        for _ in 0..<10_000 {
            guard let earlier = LocalVersion(version)?.operation else { return version }
            guard let before = try await parts.journal.operation(earlier) else { return nil }
            if let sent = before.uploadedVersion { return sent }
            version = before.baseVersion
        }
        return version
    }

    // MARK: The outcome

    /// Records that the provider has a change.
    ///
    /// A save of the same document sees all of this or none of it, also one that learns the document's new identifier
    /// meanwhile: it would send the same change again, over its own content.
    func confirm(
        _ row: JournaledOperation, _ key: ItemKey, _ description: ItemDescription
    ) async throws -> ItemKey {
        let new = key.sibling(description.identifier)
        return try await parts.locks.withLock(on: key, becoming: new) {
            try await confirm(row, key, description, as: new)
        }
    }

    // Each step may be repeated after a kill. The journal is updated last, except for the removal of the content.
    private func confirm(
        _ row: JournaledOperation, _ key: ItemKey, _ description: ItemDescription, as new: ItemKey
    ) async throws -> ItemKey {
        if new != key {
            try await parts.places.rekey(key, to: description, parts)
            parts.states.rekey(key, to: new)
            parts.usage.rekey(key, to: new)
            parts.changes.contentChanged(key)
        }
        let saved = LocalVersion(row.id).text
        let isHere = try await (parts.index.item(new)?.local?.version).isSame(as: saved)
        if isHere, let version = description.version {
            parts.states.confirmed(SentVersion(key: new, version: version, former: saved))
        }
        try await parts.index.confirm(description, of: new, former: isHere ? saved : nil, copy: saved)
        let done = try await parts.journal.uploaded(row.id, version: description.version)
        parts.crash(.uploadRecorded)
        await parts.staged.remove(row.id)
        if done.state == .uploaded { _ = try await parts.journal.finished(row.id) }
        parts.crash(.uploaded)
        // Whoever looks because of these messages finds the state after the change.
        try await noteState(new)
        parts.changes.confirmed(new, version: description.version)
        parts.changes.contentChanged(new)
        return new
    }

    private func settle(_ failure: Failure, _ row: JournaledOperation, _ key: ItemKey) async throws {
        let verdict = UploadVerdict(failure, isCreation: row.isCreation)
        // A missing provider does not mean a missing document.
        if verdict != .retry, let obstacle = await parts.access.obstacle(row.provider) {
            parts.states.set(.queued, of: key)
            throw obstacle
        }
        switch verdict {
        case .retry:
            parts.states.set(.queued, of: key)
            throw failure
        case .conflict:
            try await parts.locks.withLock(on: key) {
                try await parts.conflicts.keep(row, key, as: .conflict)
                // A reader that waits for the lock finds that nothing is unsent any more.
                try await noteState(key)
            }
        case .gone:
            try await parts.locks.withLock(on: key) {
                try await parts.conflicts.keep(row, key, as: .deleted)
                await parts.conflicts.removeGone(key)
            }
        case .lasting:
            _ = try await parts.journal.failed(row.id, reason: failure.message)
            parts.states.set(.failed(failure.message), of: key)
            parts.changes.contentChanged(key)
            throw failure
        }
    }
}
