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

    /// The item at a place now; nil if nothing is found there, for whatever reason. Does not wait for our own
    /// replacements.
    func look(_ place: RemotePlace) async throws -> RcloneEntry? {
        try await session.call(
            "operations/stat",
            { ["fs": .text($0.root), "remote": .text(place.remote), "opt": Self.options($0)] },
            cannot: "look at \"\(place.filename)\"", names: [place.remote], as: StatAnswer.self
        ).item
    }

    /// The item at a place, after our own replacements are finished; nil if it certainly does not exist.
    ///
    /// - Throws: `FileProviderError`: serverUnreachable also when everything seems to be gone.
    func optional(_ place: RemotePlace) async throws -> RcloneEntry? {
        if let found = try await occupant(of: place) { return found }
        try await confirmAbsence(of: place)
        return nil
    }

    /// The item at a place, after our own replacements are finished. A nil does not prove that an item was deleted. It
    /// is enough before something is stored there, which fails anyway when the service does not answer.
    func occupant(of place: RemotePlace) async throws -> RcloneEntry? {
        await finishMoves()
        let found = try await replacements.looking(at: place.folder, until: { $0 != nil }) { try await look(place) }
        if let found { return found }
        return try await finishReplacement(of: place)
    }

    /// The item at a place.
    ///
    /// - Throws: `FileProviderError`: noSuchItem if it certainly does not exist.
    func existing(_ place: RemotePlace) async throws -> RcloneEntry {
        guard let entry = try await optional(place) else { throw Self.gone(place) }
        return entry
    }

    /// Checks that the place is a folder that can take new items.
    func existingFolder(_ place: RemotePlace) async throws {
        guard !place.isRoot else { return }
        guard try await existing(place).isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(place.filename)\" is not a folder.")
        }
    }

    static func gone(_ place: RemotePlace) -> FileProviderError {
        FileProviderError(.noSuchItem, "\"\(place.filename)\" is not there any more.")
    }

    // A remote that reports everything as missing, even its root, is not available.
    private func confirmAbsence(of place: RemotePlace) async throws {
        let folder = place.folder
        if folder.isRoot {
            _ = try await list(folder)
        } else if try await look(folder) == nil {
            try await confirmAbsence(of: folder)
        }
    }

    /// The entries of a folder, without unfinished uploads.
    func entries(in folder: RemotePlace) async throws -> [KeptListings.Listing.Element] {
        await finishMoves()
        let listed = try await replacements.looking(at: folder, until: { (_: [RcloneEntry]) in false }) {
            try await list(folder)
        }
        var seen: Set<RemotePlace> = []
        return listed.compactMap { entry -> KeptListings.Listing.Element? in
            // Some back ends allow several documents with one name. The first one is used.
            guard let place = folder.listed(entry.name), seen.insert(place).inserted else { return nil }
            return (place, entry)
        }
    }

    private func list(_ folder: RemotePlace) async throws -> [RcloneEntry] {
        do {
            return try await session.call(
                "operations/list",
                { ["fs": .text($0.root), "remote": .text(folder.remote), "opt": Self.options($0)] },
                cannot: "list \"\(folder.filename)\"", patience: 600, names: [folder.remote], as: ListAnswer.self
            ).list ?? []
        } catch let error as FileProviderError where error.code == .noSuchItem {
            if folder.isRoot {
                // A bucket into which nothing was stored yet does not exist.
                if try await !session.connected().traits.keepsEmptyFolders { return [] }
                throw FileProviderError(
                    .serverUnreachable,
                    "The folder of the remote does not exist. If it was moved, give the domain its new path.",
                    causedBy: error)
            }
            try await confirmAbsence(of: folder)
            throw Self.gone(folder)
        }
    }

    /// Removes documents from their old places after an earlier process copied them to their new places. Anything that
    /// fails is tried again with the next request.
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

    /// Whether two documents certainly have the same content, by their hash.
    func isCopy(_ entry: RcloneEntry, of other: RcloneEntry) async throws -> Bool {
        guard !entry.isFolder, !other.isFolder, entry.size == other.size,
            let hash = try await session.connected().traits.versionHash
        else { return false }
        return entry.version(hash: hash) == other.version(hash: hash)
    }

    /// Removes a document from the place from which it was copied.
    func removeMoved(_ place: RemotePlace) async throws {
        try await replacements.changing(in: place.folder) {
            try await perform(
                "operations/deletefile", on: place, cannot: "remove \"\(place.filename)\" from its old folder")
        }
    }

    /// Finishes a replacement that an earlier process began, when the old document is already removed.
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
