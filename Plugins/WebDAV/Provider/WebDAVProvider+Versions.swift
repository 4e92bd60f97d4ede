package import FileProvider
import HTTPTransport

// Nextcloud keeps what changes replace, unless its administrator has turned that off.
extension WebDAVProvider {
    private static let versionPage = 1_000

    private func history(
        of identifier: ItemIdentifier
    ) async throws -> (history: DocumentHistory, entry: RemoteEntry) {
        let entry = try await existing(try await path(of: identifier), identifier)
        guard !entry.isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(entry.path.displayed)\" is a folder on the server.")
        }
        guard let nextcloud = try await server.traits().nextcloud, let number = entry.fileIdentifier,
            number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw DocumentHistory.noHistory }
        return (DocumentHistory(server: server, nextcloud: nextcloud, number: number), entry)
    }

    /// Lists the versions that the server keeps, without the current one.
    package func versions(of identifier: ItemIdentifier, page: String?) async throws -> EarlierVersionPage {
        let (history, entry) = try await history(of: identifier)
        let all = try await history.versions().filter { version in
            version.saved == nil || version.saved != entry.modified
        }
        let start = page.flatMap { Int($0) } ?? 0
        guard (0...all.count).contains(start) else { return EarlierVersionPage(versions: []) }
        let slice = all[start...].prefix(Self.versionPage)
        let versions = slice.map { version in
            EarlierVersion(
                identifier: version.identifier.displayed, modificationDate: version.saved, size: version.size,
                savedBy: version.author)
        }
        return EarlierVersionPage(
            versions: versions, nextPage: slice.endIndex < all.count ? String(slice.endIndex) : nil)
    }

    private static func name(of version: String) throws -> LocalName {
        guard let name = LocalName(displayed: version) else {
            throw FileProviderError(.noSuchItem, "The server has no such version.")
        }
        return name
    }

    /// Receives the content of a version.
    package func fetchVersion(
        _ version: String, of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws {
        let (history, _) = try await history(of: identifier)
        let name = try Self.name(of: version)
        let control = HTTPControl()
        let sink = DownloadSink(destination, resumingAt: nil, control: control)
        try await following(control, progress, total: nil) {
            try await history.fetch(name, into: sink, control: control)
        }
        guard sink.computed == nil || sink.computed == sink.stated else {
            throw FileProviderError(
                .busy, "The content received of a version is not what the server sent: its digest differs. Try again.")
        }
    }

    /// Makes a version the current one. The server compares no version, so a change in the same moment becomes an
    /// earlier version instead of stopping it.
    package func restoreVersion(
        _ version: String, of identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let name = try Self.name(of: version)
        let path = try await path(of: identifier)
        return try await savings.run(path) {
            let (history, entry) = try await history(of: identifier)
            if let baseVersion, entry.version != baseVersion {
                throw FileProviderError(
                    .versionOutOfDate, "\"\(entry.path.displayed)\" was changed on the server meanwhile.")
            }
            try await history.restore(name)
            return try await describe(server.existing(entry.path))
        }
    }
}
