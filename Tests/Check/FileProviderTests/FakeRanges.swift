import FileProvider

/// A provider whose content can be fetched in parts. The identifier says how it behaves.
final class FakeRanges: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.ranges] }

    static let content = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 8) }
    static let version = ItemVersion(content: "v1")

    init(domain: FileProviderDomain, host: FileProviderHost) throws {}

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        FileProviderItem(
            identifier: identifier, parent: .rootContainer, filename: identifier.rawValue, size: Self.content.count,
            version: Self.version)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }

    func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent {
        guard version == Self.version else { throw FileProviderError(.versionOutOfDate, "It was changed.") }
        let total = Self.content.count
        var wanted = range.clamped(to: 0..<total)
        switch identifier.rawValue {
        case "short": wanted = wanted.dropLast()
        case "long":
            try await destination.write(Self.content[wanted])
            try await destination.write([0])
        case "other":
            try await destination.write(Self.content[wanted])
            return PartialContent(version: ItemVersion(content: "v2"), totalBytes: total)
        case "slow":
            for part in 0..<8 {
                let (start, end) = (wanted.count * part / 8, wanted.count * (part + 1) / 8)
                try await destination.write(Self.content[wanted.lowerBound + start..<wanted.lowerBound + end])
                // Its own number does not count.
                try await progress.report(completed: 7, total: total)
                try await Task.sleep(for: .milliseconds(150))
            }
            return PartialContent(version: version, totalBytes: total)
        case "preparing":
            for _ in 0..<4 {
                progress.note(completed: 0, total: total)
                try await Task.sleep(for: .milliseconds(250))
            }
        case "confirming":
            do {
                try await destination.write(Self.content[wanted])
            } catch  where destination.isUnwanted {}
            return PartialContent(version: version, totalBytes: total)
        default: break
        }
        try await destination.write(Self.content[wanted])
        return PartialContent(version: version, totalBytes: identifier.rawValue == "endless" ? nil : total)
    }
}
