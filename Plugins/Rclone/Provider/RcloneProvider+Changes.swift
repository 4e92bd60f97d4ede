package import FileProvider

extension RcloneProvider {
    // Three of them take more than a second.
    private static let mostRepetitions = 6

    /// Runs a change when the earlier ones of this process at these places have ended. Names that differ only in case
    /// may be one place.
    func inTurn<Value: Sendable>(
        at places: [RemotePlace], _ change: () async throws -> Value
    ) async throws -> Value {
        try await inTurn(Set(places.map { $0.remote.lowercased() }).sorted()[...], change)
    }

    // One after the other and always in the same order, so that no two changes wait for each other.
    private func inTurn<Value: Sendable>(
        _ keys: ArraySlice<String>, _ change: () async throws -> Value
    ) async throws -> Value {
        guard let key = keys.first else { return try await change() }
        return try await changes.run(key) { try await inTurn(keys.dropFirst(), change) }
    }

    /// Creates a document or folder. Never replaces one.
    ///
    /// The content is sent to a temporary name and renamed when it is complete, if the back end can rename.
    package func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let folder = try place(template.parent)
        let place = try folder.newChild(template.filename)
        return try await inTurn(at: [place]) {
            try await create(template, at: place, in: folder, contents, operation, progress)
        }
    }

    private func create(
        _ template: ItemTemplate, at place: RemotePlace, in folder: RemotePlace, _ contents: ContentReader?,
        _ operation: ChangeOperation, _ progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await existingFolder(folder)
        if let there = try await occupant(of: place) {
            // The operation may be done already, with its reply lost.
            if notes.has(operation), there.isFolder == template.isFolder {
                if there.isFolder { return try await describe(there, at: place) }
                if let contents, try await isSame(place, there, as: contents) {
                    return try await describe(there, at: place)
                }
            }
            throw Self.collision(place)
        }
        if template.isFolder { return try await createFolder(place, operation) }
        guard let contents else { throw FileProviderError(.invalidArgument, "A document needs content.") }
        guard try await session.connected().traits.movesDocuments else {
            try notes.begin(operation, at: place)
            try await upload(contents, to: place, replacing: false, inPlace: false, operation, progress)
            return try await stored(contents, at: place)
        }
        let staged = try await staged(contents, for: place, operation, progress)
        try notes.begin(operation, at: place)
        try await replacements.changing(in: folder) { try await move(staged, to: place, replacing: false) }
        guard try await look(staged) == nil else {
            notes.withdraw(operation)
            await discard(staged)
            throw Self.collision(place)
        }
        return try await stored(contents, at: place)
    }

    private func createFolder(_ place: RemotePlace, _ operation: ChangeOperation) async throws -> FileProviderItem {
        try notes.begin(operation, at: place)
        if try await session.connected().traits.keepsEmptyFolders {
            try await perform("operations/mkdir", on: place, cannot: "make the folder \"\(place.filename)\"")
        } else {
            let nothing = try EmptyContent.reader(in: storage)
            try await upload(
                nothing, to: place.folderMark, replacing: true, inPlace: true, operation, TransferProgress())
        }
        return try await describe(existing(place), at: place)
    }

    /// Replaces the content if the document is still at the base version.
    package func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem {
        let place = try place(identifier)
        guard !place.isRoot else { throw FileProviderError(.invalidArgument, "The top folder has no content.") }
        return try await inTurn(at: [place]) { try await modify(place, baseVersion, contents, operation, progress) }
    }

    private func modify(
        _ place: RemotePlace, _ baseVersion: ItemVersion?, _ contents: ContentReader, _ operation: ChangeOperation,
        _ progress: TransferProgress
    ) async throws -> ModifiedItem {
        let there = try await existing(place)
        guard !there.isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(place.filename)\" is a folder; it has no content.")
        }
        let traits = try await session.connected().traits
        if let baseVersion, there.version(hash: traits.versionHash) != baseVersion {
            // The operation may be done already, with its reply lost.
            guard try await isSame(place, there, as: contents) else { throw Self.outOfDate(place) }
            return ModifiedItem(item: try await describe(there, at: place))
        }
        guard traits.movesDocuments else {
            try await sending(contents, over: there, as: { try await existing(place) }) {
                try await upload(contents, to: place, replacing: true, inPlace: false, operation, progress)
            }
            return ModifiedItem(item: try await stored(contents, at: place))
        }
        let staged = try await staged(contents, for: place, operation, progress, otherThan: there)
        // The upload can take long, so the version is compared again.
        guard let now = try await optional(place), !now.isFolder,
            now.version(hash: traits.versionHash) == (baseVersion ?? now.version(hash: traits.versionHash))
        else {
            await discard(staged)
            throw Self.outOfDate(place)
        }
        try notes.begin(operation, at: place, .replacement)
        try await replacements.changing(in: place.folder) { try await move(staged, to: place, replacing: true) }
        let item = try await stored(contents, at: place)
        // The replacement is done: a document that is missing from now on was deleted.
        notes.withdraw(operation)
        return ModifiedItem(item: item)
    }

    /// Sends content to a temporary name beside its place. Rclone compares the size, and the hash if there is one, with
    /// what it sent.
    private func staged(
        _ contents: ContentReader, for place: RemotePlace, _ operation: ChangeOperation, _ progress: TransferProgress,
        otherThan replaced: RcloneEntry? = nil
    ) async throws -> RemotePlace {
        let staged = try place.folder.upload(operation)
        do {
            try await sending(contents, over: replaced, as: { try await look(staged) }) {
                try await upload(contents, to: staged, replacing: true, inPlace: true, operation, progress)
            }
        } catch {
            await discard(staged)
            throw error
        }
        return staged
    }

    /// Sends content, and sends it again a moment later while it would have the same version as the content that it
    /// replaces. With a date in whole seconds and the same size, the replacement would go unnoticed.
    private func sending(
        _ contents: ContentReader, over replaced: RcloneEntry?, as sent: () async throws -> RcloneEntry?,
        _ send: () async throws -> Void
    ) async throws {
        try await send()
        guard let replaced, replaced.size ?? contents.size == contents.size,
            try await session.connected().traits.versionHash == nil
        else { return }
        for _ in 0..<Self.mostRepetitions {
            guard try await sent()?.version(hash: nil) == replaced.version(hash: nil) else { return }
            try await Task.sleep(for: .milliseconds(350))
            try await send()
        }
    }

    private func stored(_ contents: ContentReader, at place: RemotePlace) async throws -> FileProviderItem {
        let entry = try await existing(place)
        guard !entry.isFolder, entry.size ?? contents.size == contents.size else {
            throw FileProviderError(
                .versionOutOfDate, "\"\(place.filename)\" was changed by somebody else just after it was stored.")
        }
        return try await describe(entry, at: place)
    }

    // In a task of its own, because the sending task may be cancelled. A temporary file that cannot be removed is never
    // listed.
    private func discard(_ staged: RemotePlace) async {
        await Task { try? await perform("operations/deletefile", on: staged, cannot: "remove what was sent") }.value
    }

    static func collision(_ place: RemotePlace) -> FileProviderError {
        FileProviderError(.filenameCollision, "There is already a \"\(place.filename)\" in the folder.")
    }

    static func outOfDate(_ place: RemotePlace) -> FileProviderError {
        FileProviderError(.versionOutOfDate, "\"\(place.filename)\" was changed by somebody else meanwhile.")
    }
}
