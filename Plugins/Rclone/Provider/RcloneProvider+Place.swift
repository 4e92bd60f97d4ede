package import FileProvider

extension RcloneProvider {
    // The pauses add up to six seconds.
    private static let mostLooks = 6

    /// Moves or renames an item. Never replaces one. The result has the new identifier.
    package func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let source = try place(identifier)
        let folder = try place(parent)
        let target = try folder.newChild(name)
        guard !source.isRoot, !target.isBelow(source) else {
            throw FileProviderError(.invalidArgument, "A folder cannot be moved into itself.")
        }
        return try await inTurn(at: [source, target]) {
            try await move(source, baseVersion, to: target, in: folder, operation)
        }
    }

    private func move(
        _ source: RemotePlace, _ baseVersion: ItemVersion?, to target: RemotePlace, in folder: RemotePlace,
        _ operation: ChangeOperation
    ) async throws -> FileProviderItem {
        guard let there = try await optional(source) else {
            // The operation may be done already, with its reply lost.
            if notes.has(operation), let moved = try await optional(target) {
                return try await describe(moved, at: target)
            }
            throw Self.gone(source)
        }
        if source == target { return try await describe(there, at: source) }
        let traits = try await session.connected().traits
        if let baseVersion, !there.isFolder, there.version(hash: traits.versionHash) != baseVersion {
            throw Self.outOfDate(source)
        }
        guard there.isFolder ? traits.movesFolders : traits.movesDocuments else {
            throw FileProviderError(
                .notSupported, "This service cannot rename \(there.isFolder ? "folders" : "documents") in one step.")
        }
        try await existingFolder(folder)
        if let other = try await occupant(of: target) {
            // An earlier attempt may have been interrupted between copy and removal.
            guard notes.has(operation), try await isCopy(other, of: there) else { throw Self.collision(target) }
            try await removeMoved(source)
            return try await describe(existing(target), at: target)
        }
        try notes.begin(
            operation, at: target, !there.isFolder && traits.copiesToMove ? .copy(of: source.identifier) : .nothing)
        do {
            try await replacements.changing(in: folder) {
                if there.isFolder {
                    try await moveFolder(source, to: target)
                } else {
                    try await move(source, to: target, replacing: false)
                }
            }
        } catch let error as FileProviderError where error.code != .serverUnreachable {
            notes.withdraw(operation)
            throw error
        }
        guard try await look(source) == nil else {
            notes.withdraw(operation)
            throw Self.collision(target)
        }
        let item = try await describe(existing(target), at: target)
        if traits.copiesToMove { try notes.begin(operation, at: target) }
        return item
    }

    /// Deletes an item if it is still at the base version.
    package func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        let place = try place(identifier)
        guard !place.isRoot else { throw FileProviderError(.deletionRejected, "The top folder cannot be deleted.") }
        try await inTurn(at: [place]) { try await delete(place, baseVersion, recursive) }
    }

    private func delete(_ place: RemotePlace, _ baseVersion: ItemVersion?, _ recursive: Bool) async throws {
        let there = try await existing(place)
        let what = "delete \"\(place.filename)\""
        if there.isFolder {
            if !recursive, try await !entries(in: place).isEmpty {
                throw FileProviderError(
                    .directoryNotEmpty,
                    "\"\(place.filename)\" is not empty. Delete what is in it first, or all of it.")
            }
            try await perform("operations/purge", on: place, cannot: what)
            try await seeGone(place)
            return
        }
        if let baseVersion {
            let hash = try await session.connected().traits.versionHash
            guard there.version(hash: hash) == baseVersion else { throw Self.outOfDate(place) }
        }
        try await replacements.changing(in: place.folder) {
            try await perform("operations/deletefile", on: place, cannot: what)
        }
    }

    // A service without real folders may still list folders of documents that were just removed, and rclone then leaves
    // them. So the removal is repeated until they are gone. Only empty folders are removed.
    private func seeGone(_ folder: RemotePlace) async throws {
        for round in 0..<Self.mostLooks {
            guard try await look(folder) != nil else { return }
            if round > 0 { try await Task.sleep(for: .milliseconds(100 << round)) }
            do {
                try await perform("operations/rmdirs", on: folder, cannot: "remove \"\(folder.filename)\"")
            } catch let error as FileProviderError where error.code == .noSuchItem {
                return
            }
        }
        guard try await look(folder) != nil else { return }
        throw FileProviderError(
            .directoryNotEmpty,
            "\"\(folder.filename)\" exists again: somebody is putting something in it. Check it, then delete it again.")
    }
}
