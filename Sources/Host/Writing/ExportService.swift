import ExtensionManifest
package import DocentInterfaces
package import Isolation
package import Storage

/// Export and move into a provider (W Export, Move (a) to (c)).
package struct ExportService: Sendable {
    private let gateway: DocumentGateway
    private let journal: OperationJournal
    private let staged: StagedContent
    private let publisher: Publisher
    private let operations: OperationTable
    private let driver: PickerDriver

    package init(
        gateway: DocumentGateway, journal: OperationJournal, staged: StagedContent, publisher: Publisher,
        operations: OperationTable, driver: PickerDriver
    ) {
        self.gateway = gateway
        self.journal = journal
        self.staged = staged
        self.publisher = publisher
        self.operations = operations
        self.driver = driver
    }

    /// Copies the source to a folder of the provider, durably before it returns.
    ///
    /// - Returns: the new item, and what the source was when it was copied: only that may be deleted (Move (e)).
    package func export(
        _ session: Session, _ provider: KnownProvider, _ location: Wire.Location, _ original: PickerDriver.Original,
        operation: String, isMove: Bool
    ) async throws -> (item: Wire.Item, source: FileStatus) {
        try await operations.run(operation, session.principal) {
            let name = try ItemPath.name(original.name)
            let source = try ForeignDescriptor.check(original.descriptor.number, access: .readOnly)
            if PickerDriver.hasOwnPicker(provider) {
                return (
                    try await self.byPicker(session, provider, location, original, name, operation, isMove), source
                )
            }
            return (
                try await self.byHost(session, provider, location, original, name, operation, source, isMove), source
            )
        }
    }

    // The host's standard browser: the host itself makes the copy.
    private func byHost(
        _ session: Session, _ provider: KnownProvider, _ location: Wire.Location, _ original: PickerDriver.Original,
        _ name: String, _ operation: String, _ source: FileStatus, _ isMove: Bool
    ) async throws -> Wire.Item {
        let folder = try await gateway.item(
            at: try ItemPath(location.path), provider: provider.identifier, domain: location.domain)
        guard folder.isFolder else {
            throw Failure(.invalidArgument, "\"\(folder.name)\" is no folder.", suggestion: "Name a folder to put it into.")
        }
        var request = OperationRequest(
            create: name, in: folder.reference.key, operation: operation, principal: session.principal,
            source: isMove ? original.name : nil)
        request.kind = isMove ? .move : .create
        let row = try await journal.begin(request)
        if let done = row.itemKey, [.published, .moveSourcePending, .uploaded, .finished].contains(row.state) {
            return try await gateway.item(done)
        }
        guard row.state == .open else {
            throw Failure(.conflict, "The operation \(operation) was used before.", suggestion: "Choose a new name.")
        }
        do {
            let writing = try await staged.begin(row, from: original.descriptor, expected: source.size)
            let frozen = try await staged.freeze(writing)
            try Task.checkCancellation()
            let committed = try await journal.staged(
                row.id, digest: frozen.digest, size: Int64(frozen.size), baseVersion: nil)
            publisher.crash(.committed)
            return try await publisher.publishCreation(committed, contentType: original.contentType)
        } catch {
            if (try? await journal.operation(row.id))?.state == .open {
                _ = try? await journal.abandoned(row.id, reason: "\(FailureMapping.failure(error).message)")
                await staged.remove(row.id)
            }
            throw error
        }
    }

    // A picker of the provider's own makes the copy, and says with its URL where it is.
    private func byPicker(
        _ session: Session, _ provider: KnownProvider, _ location: Wire.Location, _ original: PickerDriver.Original,
        _ name: String, _ operation: String, _ isMove: Bool
    ) async throws -> Wire.Item {
        let path = try ItemPath(location.path)
        return try await driver.present(
            provider, isMove ? .moveToService : .exportToService, domain: location.domain, types: nil,
            original: original, path: path, name: name
        ) { choice in
            switch choice.verdict {
            case .item(let reference): return try await self.gateway.item(reference.key)
            case .storage:
                let key = try await self.gateway.identifier(
                    of: choice.url, provider: provider.identifier, domain: location.domain)
                return try await self.gateway.item(key)
            case .pickerFile:
                // A sign of success and no more: the client gets no access (C3), and no file provider knows the copy.
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
