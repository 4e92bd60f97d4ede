package import Access
package import DocentInterfaces
package import ExtensionHosting
import ExtensionManifest
package import HostCore
package import Records
package import RemoteDocuments
import Rights
package import Storage

/// Exports and moves into a provider (W Export, Move (a) to (c)).
package struct ExportService: Sendable {
    private let gateway: DocumentGateway
    private let journal: OperationJournal
    private let staged: StagedContent
    private let publisher: Publisher
    private let operations: OperationTable
    private let driver: PickerDriver
    private let coordination: CoordinationService

    package init(
        gateway: DocumentGateway, journal: OperationJournal, staged: StagedContent, publisher: Publisher,
        operations: OperationTable, driver: PickerDriver, coordination: CoordinationService
    ) {
        self.coordination = coordination
        self.gateway = gateway
        self.journal = journal
        self.staged = staged
        self.publisher = publisher
        self.operations = operations
        self.driver = driver
    }

    /// Copies the source to a folder of the provider; durable when it returns.
    ///
    /// - Parameter progress: called with the progress.
    /// - Returns: the new item, and the status of the source when it was copied: only that state of it may be deleted
    ///   (Move (e)).
    package func export(
        _ session: Session, _ provider: KnownProvider, _ location: Wire.Location, _ original: PickerDriver.Original,
        operation: String, isMove: Bool, progress: PublishProgress = .unheard
    ) async throws -> (item: Wire.Item, source: FileStatus) {
        try await operations.run(operation, session.principal) {
            let name = try ItemPath.name(original.name)
            let source = try ForeignDescriptor.check(original.descriptor.number, access: .readOnly)
            if PickerDriver.hasOwnPicker(provider) {
                guard isMove else {
                    return (
                        try await self.byPicker(provider, location, original, name, isMove: false, progress), source
                    )
                }
                return (
                    try await self.moveByPicker(
                        session, provider, location, original, name, operation, source, progress), source
                )
            }
            return (
                try await self.byHost(
                    session, provider, location, original, name, operation, source, isMove, progress), source
            )
        }
    }

    // For the host's standard browser, the host makes the copy.
    private func byHost(
        _ session: Session, _ provider: KnownProvider, _ location: Wire.Location, _ original: PickerDriver.Original,
        _ name: String, _ operation: String, _ source: FileStatus, _ isMove: Bool, _ progress: PublishProgress
    ) async throws -> Wire.Item {
        let folder = try await gateway.item(
            at: try ItemPath(location.path), provider: provider.identifier, domain: location.domain)
        guard folder.isFolder else {
            throw Failure(
                .invalidArgument, "\"\(folder.name)\" is not a folder.", suggestion: "Choose a folder to put it in.")
        }
        try await gateway.requireWritable(provider.identifier)
        var request = OperationRequest(
            create: name, in: folder.reference.key, operation: operation, principal: session.principal,
            source: isMove ? original.name : nil, contentType: original.contentType)
        request.kind = isMove ? .move : .create
        var row = try await journal.begin(request)
        // A repeated call whose first reply was lost.
        if row.state == .abandoned { row = try await journal.reopened(row.id) }
        if row.digest != nil, row.state != .failed {
            if isMove { try await staged.require(original.descriptor, digest: row.digest) }
            return try await publisher.publishCreation(row, isAwaited: true, progress: progress)
        }
        guard row.state == .open else {
            throw Failure(.conflict, "The operation \(operation) was used before.", suggestion: "Choose a new name.")
        }
        do {
            // Checked before copying and without a lock, because the provider is asked.
            if try await gateway.isRemote(provider.identifier) {
                try await gateway.requireFree(row.name ?? name, in: folder.reference.key)
            }
            try await staged.metadata.adopt(row)
            let writing = try await staged.begin(
                row, from: original.descriptor, expected: source.size, progress: progress)
            let frozen = try await staged.freeze(writing, progress: progress)
            let (id, key) = (row.id, folder.reference.key)
            return try await coordination.withClaim(session, creating: row.name ?? name, in: key) {
                [self] record -> Wire.Item in
                try Task.checkCancellation()
                try gateway.requireOpen(key)
                let committed = try await journal.staged(
                    id, digest: frozen.digest, size: Int64(frozen.size), baseVersion: nil)
                publisher.crash(.committed)
                let item = try await publisher.publishCreation(committed, isAwaited: true, progress: progress)
                record.appeared(item, name: item.name, in: key)
                return item
            }
        } catch {
            if (try? await journal.operation(row.id))?.state == .open {
                // The file is removed first: on a full disk, the journal needs its space.
                await staged.remove(row.id)
                _ = try? await journal.abandoned(row.id, reason: "\(FailureMapping.failure(error).message)")
            }
            throw error
        }
    }

    // A move stays recorded until its client reports what became of the source (Move (g)).
    private func moveByPicker(
        _ session: Session, _ provider: KnownProvider, _ location: Wire.Location, _ original: PickerDriver.Original,
        _ name: String, _ operation: String, _ source: FileStatus, _ progress: PublishProgress
    ) async throws -> Wire.Item {
        let folder = ItemKey(provider: provider.identifier, domain: location.domain, identifier: location.path)
        var request = OperationRequest(
            create: name, in: folder, operation: operation, principal: session.principal, source: original.name)
        request.kind = .move
        var row = try await journal.begin(request)
        if row.state == .abandoned { row = try await journal.reopened(row.id) }
        // A repeated call whose first reply was lost.
        if let done = row.itemKey, [.moveSourcePending, .uploaded, .finished].contains(row.state) {
            return try await gateway.item(done)
        }
        guard row.state == .open else {
            throw Failure(.conflict, "The operation \(operation) was used before.", suggestion: "Choose a new name.")
        }
        do {
            let item = try await byPicker(provider, location, original, name, isMove: true, progress)
            // The client will delete the source, so an incomplete copy must not count as success (X14).
            if let size = item.size, size < 0 || UInt64(size) != source.size {
                throw Failure(
                    .providerFailed,
                    "The copy that \(provider.identifier) made has \(size) bytes, but \"\(name)\" has \(source.size).",
                    suggestion: "The source is kept.", provider: provider.identifier)
            }
            // The picker has its own connection to the server, so there is no file in Uploads.
            try await journal.staged(row.id, digest: "", size: Int64(source.size), baseVersion: nil)
            try await journal.published(row.id, item: item.reference.identifier)
            try await journal.uploaded(row.id)
            return item
        } catch {
            _ = try? await journal.withdrawn(row.id, reason: "\(FailureMapping.failure(error).message)")
            throw error
        }
    }

    // A provider's own picker makes the copy and reports its URL.
    private func byPicker(
        _ provider: KnownProvider, _ location: Wire.Location, _ original: PickerDriver.Original, _ name: String,
        isMove: Bool, _ progress: PublishProgress
    ) async throws -> Wire.Item {
        let path = try ItemPath(location.path)
        return try await driver.present(
            provider, isMove ? .moveToService : .exportToService, domain: location.domain, types: nil,
            original: original, path: path, name: name, progress: progress
        ) { choice in
            switch choice.verdict {
            case .item(let reference): return try await self.gateway.item(reference.key)
            case .storage:
                let key = try await self.gateway.identifier(
                    of: choice.url, provider: provider.identifier, domain: location.domain)
                // A picker with the file provider's purpose has synchronised the file itself (C7); otherwise the
                // provider is notified (C8).
                if choice.purpose != provider.identifier { await self.gateway.announceChange(key) }
                return try await self.gateway.item(key)
            case .pickerFile:
                // Only reports success: the client gets no access (C3), and no file provider knows the copy.
                return Wire.Item(
                    reference: .init(
                        provider: provider.identifier, domain: location.domain,
                        identifier: (path.names + [name]).joined(separator: "/")),
                    name: name, path: ItemPath.join(path, name), contentType: original.contentType ?? "public.data",
                    isFolder: false, isDownloaded: true, isUploaded: true)
            }
        }
    }
}

extension ItemPath {
    /// The path of a name in a folder, as text.
    static func join(_ folder: ItemPath, _ name: String) -> String {
        "/" + (folder.names + [name]).joined(separator: "/")
    }
}
