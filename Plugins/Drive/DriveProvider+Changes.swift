import DriveStore
package import FileProvider
import FoundationEssentials

extension DriveProvider {
    /// Up to this size, content is sent before the document is announced: others see both at once.
    private static let sentFirst = 4 << 20

    /// Creates a document or folder. Its identifier follows from the operation, so that a repetition after a crash
    /// finds what the first try made.
    package func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let device = try device()
        let item = device.identifier(of: operation.identifier, "item")
        let identifier = DriveItems.identifier(item)
        return try await changes.run(identifier) {
            let parent = try Self.folder(template.parent)
            if await device.tree.placements[item] == nil {
                try await checkName(template.filename, in: parent, device)
                if template.isFolder {
                    try await drive { () async throws(DriveError) in
                        _ = try await device.create(template.filename, in: parent, item: item)
                    }
                }
            }
            if !template.isFolder {
                guard let contents else { throw FileProviderError(.invalidArgument, "A document needs content.") }
                try await save(contents, operation, device, progress) { new throws(DriveError) in
                    _ = try await device.create(template.filename, in: parent, content: new, item: item)
                }
            }
            try await drive { () async throws(DriveError) in try await device.append() }
            return try await self.item(for: identifier)
        }
    }

    /// Adds a version whose parent is the one that the change is based on. If that was not the current one, both are
    /// kept: the other is shown beside the document.
    package func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem {
        let device = try device()
        return try await changes.run(identifier) {
            guard let item = DriveItems.item(identifier), let current = await device.tree.current[item],
                await device.tree.live.contains(item)
            else { throw Self.unchangeable(identifier) }
            let base = baseVersion.map { DriveIdentifier(hexadecimal: $0.content) } ?? current
            guard let base, await device.tree.versions[base]?.content.item == item else {
                throw FileProviderError(.versionOutOfDate, "The drive has never had the version that was changed.")
            }
            try await save(contents, operation, device, progress) { new throws(DriveError) in
                try await device.add(new, to: item, parents: [base])
            }
            try await drive { () async throws(DriveError) in try await device.append() }
            let tree = await device.tree
            guard let shown = DriveItems(tree: tree).item(for: identifier) else { throw Self.unchangeable(identifier) }
            let conflict = (tree.conflicts[item] ?? []).first.map {
                DriveItems.identifier(DriveItems.Conflict(item: item, version: $0))
            }
            return ModifiedItem(item: shown, conflict: conflict)
        }
    }

    /// Sends content and records its version, in the order that its size calls for. The version follows from the
    /// operation: after a crash, what was recorded is found again, and what is missing is sent.
    private func save(
        _ contents: ContentReader, _ operation: ChangeOperation, _ device: DriveDevice, _ progress: TransferProgress,
        record: (NewContent) async throws(DriveError) -> Void
    ) async throws {
        let source = FileSource(descriptor: contents.descriptor, size: contents.size, owner: contents)
        let version = device.identifier(of: operation.identifier, "version")
        let date = contents.metadata?.modificationDate?.timeIntervalSince1970
        let modified = date.map { Int64(max(min($0, 1e11), -1e11) * 1000) } ?? DriveClock.milliseconds()
        try await drive { () async throws(DriveError) in
            let manifest = try await device.measure(source)
            let isKnown = await device.tree.versions[version] != nil
            let isArrived = await device.tree.arrived.contains(version)
            if isArrived { return }
            let report: @Sendable (Int) -> Void = { progress.note(completed: $0, total: source.size) }
            if !isKnown && source.size <= Self.sentFirst {
                try await Self.sending(source, manifest, device, report) { packs throws(DriveError) in
                    try await record(
                        NewContent(manifest, size: source.size, modified: modified, packs: packs, version: version))
                }
                return
            }
            if !isKnown {
                try await record(
                    NewContent(manifest, size: source.size, modified: modified, packs: nil, version: version))
                try await device.append()
            }
            try await Self.sending(source, manifest, device, report) { packs throws(DriveError) in
                try await device.arrived(version, packs: packs)
            }
        }
    }

    /// Sends content and records where it is. If the drive is cleared up at that moment, what was sent or found there
    /// may not count: then once more.
    private static func sending(
        _ source: FileSource, _ manifest: ContentManifest, _ device: DriveDevice,
        _ report: @escaping @Sendable (Int) -> Void, record: ([DriveIdentifier]) async throws(DriveError) -> Void
    ) async throws(DriveError) {
        for attempt in 1...3 {
            let packs = try await device.send(source, as: manifest, progress: report)
            do throws(DriveError) {
                try await record(packs)
                return
            } catch {
                guard case .unreachable = error, attempt < 3 else { throw error }
            }
        }
    }

    /// Moves an item. It keeps its identifier.
    package func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let device = try device()
        return try await changes.run(identifier) {
            let tree = await device.tree
            guard let item = DriveItems.item(identifier), item != .root, tree.live.contains(item) else {
                throw Self.unchangeable(identifier)
            }
            try check(baseVersion, item, tree)
            let folder = try Self.folder(parent)
            if tree.parents[item] != folder || tree.shownNames[item].map({ !$0.utf8.elementsEqual(name.utf8) }) ?? true
            {
                guard !tree.subtree(of: item).contains(folder) else {
                    throw FileProviderError(.invalidArgument, "A folder cannot be moved into itself.")
                }
                try await checkName(name, in: folder, device, except: item)
                try await drive { () async throws(DriveError) in
                    try await device.move(item, to: folder, named: name)
                }
            }
            try await drive { () async throws(DriveError) in try await device.append() }
            return try await self.item(for: identifier)
        }
    }

    /// Puts an item into the drive's trash. Deleting a conflict settles it: the document's current content stays.
    package func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        let device = try device()
        try await changes.run(identifier) {
            let tree = await device.tree
            if let conflict = DriveItems.conflict(identifier) {
                try await settle(conflict, tree, device)
            } else {
                guard let item = DriveItems.item(identifier), item != .root, tree.live.contains(item) else {
                    throw Self.unchangeable(identifier)
                }
                try check(baseVersion, item, tree)
                guard recursive || (tree.children[item] ?? []).isEmpty else {
                    throw FileProviderError(.directoryNotEmpty, "The folder is not empty.")
                }
                try await drive { () async throws(DriveError) in try await device.trash([item]) }
            }
            try await drive { () async throws(DriveError) in try await device.append() }
        }
    }

    private func settle(_ conflict: DriveItems.Conflict, _ tree: DriveTree, _ device: DriveDevice) async throws {
        guard tree.conflicts[conflict.item]?.contains(conflict.version) == true,
            let current = tree.current[conflict.item], let content = tree.versions[current]?.content
        else { throw FileProviderError(.noSuchItem, "The conflict is settled already.") }
        try await drive { () async throws(DriveError) in
            // The content is in the store already: the version arrives with its record.
            let packs = try await device.packs(of: content)
            let new = NewContent(content.manifest, size: content.size, modified: content.modified, packs: packs)
            try await device.add(new, to: conflict.item, parents: [current, conflict.version])
        }
    }

    private func check(_ baseVersion: ItemVersion?, _ item: DriveIdentifier, _ tree: DriveTree) throws {
        guard let baseVersion, let current = tree.current[item] else { return }
        guard baseVersion.content == current.description else {
            throw FileProviderError(.versionOutOfDate, "The document has another version.")
        }
    }

    private func checkName(
        _ name: String, in folder: DriveIdentifier, _ device: DriveDevice, except item: DriveIdentifier? = nil
    ) async throws {
        guard RecordBody.isName(name) else {
            throw FileProviderError(.invalidArgument, "\"\(name)\" cannot be the name of an item.")
        }
        let items = DriveItems(tree: await device.tree)
        guard folder == .root || items.tree.placements[folder]?.isFolder == true && items.tree.live.contains(folder)
        else {
            throw FileProviderError(.noSuchItem, "The folder is not in the drive any more.")
        }
        // Equal after NFC, as the drive compares.
        let own = item.map { DriveItems.identifier($0) }
        if items.children(of: folder).contains(where: { $0.filename == name && $0.identifier != own }) {
            throw FileProviderError(.filenameCollision, "There is a \"\(name)\" in the folder already.")
        }
    }

    private static func folder(_ identifier: ItemIdentifier) throws -> DriveIdentifier {
        guard let folder = DriveItems.item(identifier) else {
            throw FileProviderError(.noSuchItem, "The folder is not in the drive any more.")
        }
        return folder
    }

    private static func unchangeable(_ identifier: ItemIdentifier) -> FileProviderError {
        DriveItems.conflict(identifier) == nil
            ? FileProviderError(.noSuchItem, "The item is not in the drive any more.")
            : FileProviderError(.notSupported, "A conflict can be read and deleted. Change the document itself.")
    }
}
