package import FileProvider

// Object stores can keep what changes replace. Rclone shows it as further documents of the same folder.
extension RcloneProvider {
    private static let versionPage = 1_000

    private struct VersionList: Decodable, Sendable { var list: [RcloneEntry]? }
    private struct VersionAnswer: Decodable, Sendable { var item: RcloneEntry? }
    private struct Nothing: Decodable, Sendable {}

    /// The document, and the remote that shows its versions.
    private func history(
        of identifier: ItemIdentifier
    ) async throws -> (place: RemotePlace, entry: RcloneEntry, remote: String) {
        let place = try place(identifier)
        let entry = try await existing(place)
        guard !place.isRoot, !entry.isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(place.filename)\" is a folder.")
        }
        guard let remote = try await session.connected().history else {
            throw FileProviderError(
                .notSupported, "Rclone shows earlier versions only of documents in S3 and Backblaze.")
        }
        return (place, entry, remote)
    }

    /// Lists the versions that the service keeps, without the current one; none if its bucket keeps none.
    package func versions(of identifier: ItemIdentifier, page: String?) async throws -> EarlierVersionPage {
        let (place, _, remote) = try await history(of: identifier)
        let all = try await earlier(place, in: remote)
        let start = page.flatMap { Int($0) } ?? 0
        guard (0...all.count).contains(start) else { return EarlierVersionPage(versions: []) }
        let slice = all[start...].prefix(Self.versionPage)
        return EarlierVersionPage(
            versions: Array(slice), nextPage: slice.endIndex < all.count ? String(slice.endIndex) : nil)
    }

    /// All versions, the newest first.
    private func earlier(_ place: RemotePlace, in remote: String) async throws -> [EarlierVersion] {
        let name = Array(place.name)
        var found: [ObjectVersionName: [RcloneEntry]] = [:]
        for entry in try await similar(to: place, in: remote) {
            guard let version = ObjectVersionName(in: entry.name.utf8, of: name), place.folder.listed(entry.name) != nil
            else { continue }
            found[version, default: []].append(entry)
        }
        guard !found.isEmpty else { return [] }
        // A document may be called like a version of another one.
        for entry in try await similar(to: place, in: session.connected().root) {
            if let version = ObjectVersionName(in: entry.name.utf8, of: name) { found[version] = nil }
        }
        let hash = try await session.connected().traits.versionHash
        return found.sorted { $0.key.moment > $1.key.moment }.map { version, entries in
            // Two versions of the same moment have one name, and nobody knows which of them is delivered.
            let entry = entries.count == 1 ? entries.first : nil
            return EarlierVersion(
                identifier: version.identifier, modificationDate: version.date, size: entry?.size,
                version: hash.flatMap { entry?.hashVersion($0) })
        }
    }

    /// The documents of a folder whose names begin as that of a document does.
    private func similar(to place: RemotePlace, in remote: String) async throws -> [RcloneEntry] {
        let hash = try await session.connected().traits.versionHash
        return try await session.call(
            "operations/list",
            { _ in
                var options: [String: RemoteValue] = ["noModTime": true, "noMimeType": true, "filesOnly": true]
                if let hash {
                    options["showHash"] = true
                    options["hashTypes"] = .list([hash])
                }
                return [
                    "fs": .text(remote), "remote": .text(place.folder.remote), "opt": .object(options),
                    "_filter": .object(["IncludeRule": .list([place.similar])]),
                ]
            }, cannot: "list the versions of \"\(place.filename)\"", patience: 600, names: [place.remote],
            as: VersionList.self
        ).list ?? []
    }

    /// Where rclone shows a version.
    ///
    /// - Throws: `FileProviderError` noSuchItem if there is no such version.
    private func existingVersion(
        _ identifier: String, of place: RemotePlace, in remote: String
    ) async throws -> RemotePlace {
        guard let shown = ObjectVersionName(identifier: identifier)?.name(of: Array(place.name)),
            let version = place.folder.listed(String(decoding: shown, as: UTF8.self)),
            try await isDocument(version, in: remote), try await look(version) == nil
        else { throw FileProviderError(.noSuchItem, "The service does not have this version any more.") }
        return version
    }

    private func isDocument(_ place: RemotePlace, in remote: String) async throws -> Bool {
        let found = try await session.call(
            "operations/stat",
            { _ in
                [
                    "fs": .text(remote), "remote": .text(place.remote),
                    "opt": .object(["noModTime": true, "noMimeType": true]),
                ]
            }, cannot: "look at \"\(place.filename)\"", names: [place.remote], as: VersionAnswer.self
        ).item
        return found.map { !$0.isFolder } ?? false
    }

    /// Receives the content of a version.
    package func fetchVersion(
        _ version: String, of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws {
        let (place, _, remote) = try await history(of: identifier)
        let shown = try await existingVersion(version, of: place, in: remote)
        let receiver = ContentReceiver(destination, from: 0, total: nil, progress: progress)
        try await get(shown, of: remote, from: 0, into: receiver)
        if let refusal = receiver.refusal {
            throw await session.error(
                refusal, cannot: "read a version of \"\(place.filename)\"", names: [place.remote, shown.remote])
        }
    }

    /// Makes a version the current one. The service keeps what it replaces, as with every change.
    package func restoreVersion(
        _ version: String, of identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let place = try place(identifier)
        return try await inTurn(at: [place]) {
            let (_, there, remote) = try await history(of: identifier)
            let shown = try await existingVersion(version, of: place, in: remote)
            let hash = try await session.connected().traits.versionHash
            if let baseVersion, there.version(hash: hash) != baseVersion { throw Self.outOfDate(place) }
            try await replacements.changing(in: place.folder) {
                _ = try await session.call(
                    "operations/copyfile",
                    {
                        [
                            "srcFs": .text(remote), "srcRemote": .text(shown.remote), "dstFs": .text($0.root),
                            "dstRemote": .text(place.remote), "_config": .object(["IgnoreTimes": true]),
                        ]
                    }, cannot: "restore a version of \"\(place.filename)\"", isQuestion: false, patience: 600,
                    names: [place.remote, shown.remote], as: Nothing.self)
            }
            return try await describe(existing(place), at: place)
        }
    }
}
