import FileProvider

extension RcloneProvider {
    private struct StatAnswer: Decodable, Sendable { var item: RcloneEntry? }
    private struct ListAnswer: Decodable, Sendable { var list: [RcloneEntry]? }

    private static func options(_ connection: RemoteSession.Connection) -> RemoteValue {
        var options: [String: RemoteValue] = ["noMimeType": true]
        if let hash = connection.traits.versionHash {
            options["showHash"] = true
            options["hashTypes"] = .list([hash])
        }
        return .object(options)
    }

    /// What is at a place now; nil if there is nothing, whyever. Our own replacements are not waited for.
    func look(_ place: RemotePlace) async throws -> RcloneEntry? {
        try await session.call(
            "operations/stat",
            { ["fs": .text($0.root), "remote": .text(place.remote), "opt": Self.options($0)] },
            cannot: "look at “\(place.filename)”", names: [place.remote], as: StatAnswer.self
        ).item
    }

    /// What is at a place, with our own replacements done; nil if there is nothing for certain.
    ///
    /// - Throws: `FileProviderError`: serverUnreachable also when everything seems gone.
    func optional(_ place: RemotePlace) async throws -> RcloneEntry? {
        if let found = try await occupant(of: place) { return found }
        try await confirmAbsence(of: place)
        return nil
    }

    /// What is at a place, with our own replacements done. That there is nothing is no proof that something is gone: enough to
    /// put something there, where what does not answer shows anyway.
    func occupant(of place: RemotePlace) async throws -> RcloneEntry? {
        await finishMoves()
        let found = try await replacements.looking(at: place.folder, until: { $0 != nil }) { try await look(place) }
        if let found { return found }
        return try await finishReplacement(of: place)
    }

    /// What is at a place.
    ///
    /// - Throws: `FileProviderError`: noSuchItem if it is gone for certain.
    func existing(_ place: RemotePlace) async throws -> RcloneEntry {
        guard let entry = try await optional(place) else { throw Self.gone(place) }
        return entry
    }

    /// That it is a folder where something can be put.
    func existingFolder(_ place: RemotePlace) async throws {
        guard !place.isRoot else { return }
        guard try await existing(place).isFolder else {
            throw FileProviderError(.invalidArgument, "“\(place.filename)” is not a folder.")
        }
    }

    static func gone(_ place: RemotePlace) -> FileProviderError {
        FileProviderError(.noSuchItem, "“\(place.filename)” is not there any more.")
    }

    // A remote that says of everything that it is not there, its root included, is away.
    private func confirmAbsence(of place: RemotePlace) async throws {
        let folder = place.folder
        if folder.isRoot {
            _ = try await list(folder)
        } else if try await look(folder) == nil {
            try await confirmAbsence(of: folder)
        }
    }

    /// What is in a folder, without unfinished uploads.
    func entries(in folder: RemotePlace) async throws -> [KeptListings.Listing.Element] {
        await finishMoves()
        let listed = try await replacements.looking(at: folder, until: { (_: [RcloneEntry]) in false }) {
            try await list(folder)
        }
        var seen: Set<RemotePlace> = []
        return listed.compactMap { entry -> KeptListings.Listing.Element? in
            // Some back ends let several documents have one name: the first one counts.
            guard let place = folder.listed(entry.name), seen.insert(place).inserted else { return nil }
            return (place, entry)
        }
    }

    private func list(_ folder: RemotePlace) async throws -> [RcloneEntry] {
        do {
            return try await session.call(
                "operations/list",
                { ["fs": .text($0.root), "remote": .text(folder.remote), "opt": Self.options($0)] },
                cannot: "list “\(folder.filename)”", patience: 600, names: [folder.remote], as: ListAnswer.self
            ).list ?? []
        } catch let error as FileProviderError where error.code == .noSuchItem {
            if folder.isRoot {
                // A bucket of which nothing was stored yet is not there.
                if try await !session.connected().traits.keepsEmptyFolders { return [] }
                throw FileProviderError(
                    .serverUnreachable,
                    "The folder of the remote is not there. If it was moved, give its new path to the domain.",
                    causedBy: error)
            }
            try await confirmAbsence(of: folder)
            throw Self.gone(folder)
        }
    }

    /// Removes documents from their old places that an earlier process had copied to their new ones. What cannot be done now is tried
    /// again with the next question.
    private func finishMoves() async {
        for copy in notes.interruptedCopies {
            do {
                if let there = try await look(copy.source), let made = try await look(copy.target),
                    try await isCopy(made, of: there)
                {
                    try await removeMoved(copy.source)
                }
                notes.settle(copy)
            } catch {
                return
            }
        }
    }

    /// Whether two documents have one content for certain: the same hash.
    func isCopy(_ entry: RcloneEntry, of other: RcloneEntry) async throws -> Bool {
        guard !entry.isFolder, !other.isFolder, entry.size == other.size,
            let hash = try await session.connected().traits.versionHash
        else { return false }
        return entry.version(hash: hash) == other.version(hash: hash)
    }

    /// Removes a document from where it was copied from.
    func removeMoved(_ place: RemotePlace) async throws {
        try await replacements.changing(in: place.folder) {
            try await perform(
                "operations/deletefile", on: place, cannot: "remove “\(place.filename)” from its old folder")
        }
    }

    /// What an earlier process had begun to put at a place, where the old document is removed already.
    private func finishReplacement(of place: RemotePlace) async throws -> RcloneEntry? {
        for operation in notes.replacements(of: place) {
            let upload = try place.folder.upload(operation)
            guard let staged = try await look(upload), !staged.isFolder else { continue }
            try await move(upload, to: place, replacing: false)
            return try await look(place)
        }
        return nil
    }
}
