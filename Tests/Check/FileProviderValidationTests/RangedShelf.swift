import FileProvider

/// A shelf whose books can be read in parts.
struct RangedShelf: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.ranges] }

    /// How much too far a part begins; for a shelf that misbehaves.
    private let shift: Int
    private let shelf: ShelfProvider

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        shelf = try ShelfProvider(domain: domain, host: host)
        shift = domain.settings["shift"].flatMap { Int($0) } ?? 0
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        try await shelf.item(for: identifier)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        try await shelf.children(of: parent, page: page)
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await shelf.fetchContents(of: identifier, into: destination, progress: progress)
    }

    func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent {
        let item = try await item(for: identifier)
        guard item.version == version else { throw FileProviderError(.versionOutOfDate, "This is another edition.") }
        let content = ShelfProvider.content
        let wanted = range.clamped(to: 0..<content.count)
        try await destination.write((content + content).dropFirst(wanted.lowerBound + shift).prefix(wanted.count))
        return PartialContent(version: version, totalBytes: content.count)
    }
}
