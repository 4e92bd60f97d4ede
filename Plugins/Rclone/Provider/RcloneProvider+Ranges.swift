package import FileProvider

extension RcloneProvider {
    /// Fetches a part of the content. The version is compared before and after, as for the whole.
    package func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent {
        let place = try place(identifier)
        guard !place.isRoot else { throw Self.folderHasNoContent(place) }
        let before = try await describe(existing(place), at: place)
        guard !before.isFolder else { throw Self.folderHasNoContent(place) }
        guard before.version == version else { throw Self.changedBefore(place) }
        guard let size = before.size else { throw Self.notInParts(place) }
        let wanted = range.clamped(to: 0..<size)
        guard !wanted.isEmpty else { return PartialContent(version: version, totalBytes: size) }
        do {
            try await read(place, wanted, of: size, into: destination)
        } catch  where destination.isUnwanted {
            // What was written still counts if the document is unchanged.
        } catch is PartReceiver.NotInParts {
            throw Self.notInParts(place)
        } catch let error as FileProviderError where error.code == .serverUnreachable {
            // A document that is being replaced is cut off and missing for a moment. That is not an error of the
            // service.
            try await requireUnchanged(place, version)
            throw error
        }
        try await requireUnchanged(place, version)
        return PartialContent(version: version, totalBytes: size)
    }

    /// Reads a part of a listed document. While it is being replaced it can be missing for a moment, so the request is
    /// repeated.
    private func read(
        _ place: RemotePlace, _ range: Range<Int>, of size: Int, into destination: PartialContentWriter
    ) async throws {
        for _ in 0..<Self.mostQuestions {
            let receiver = PartReceiver(destination, range, total: size)
            try await get(place, from: range.lowerBound, to: range.upperBound, into: receiver)
            guard let refusal = receiver.refusal else {
                guard receiver.isComplete else {
                    throw FileProviderError(
                        .serverUnreachable, "rclone sent an incomplete answer. Try again later.")
                }
                return
            }
            let error = await session.error(refusal, cannot: "read \"\(place.filename)\"", names: [place.remote])
            guard error.code == .noSuchItem else { throw error }
            _ = try await existing(place)
        }
        throw FileProviderError(.serverUnreachable, "The service lists \"\(place.filename)\" but does not deliver it.")
    }

    private func requireUnchanged(_ place: RemotePlace, _ version: ItemVersion) async throws {
        let now = try await describe(existing(place), at: place)
        guard !now.isFolder, now.version == version else { throw Self.changedBefore(place) }
    }

    private static func changedBefore(_ place: RemotePlace) -> FileProviderError {
        FileProviderError(.versionOutOfDate, "\"\(place.filename)\" was changed meanwhile.")
    }

    private static func notInParts(_ place: RemotePlace) -> FileProviderError {
        FileProviderError(
            .notSupported, "The service does not send parts of \"\(place.filename)\". It can only be read as a whole.")
    }
}
