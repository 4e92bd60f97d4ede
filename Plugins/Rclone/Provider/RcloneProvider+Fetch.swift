package import FileProvider

extension RcloneProvider {
    static let mostQuestions = 4
    /// The pauses before further looks at a document whose content was cut off.
    private static let pausesAfterCut: [Duration] = [.milliseconds(300), .seconds(1)]

    /// Fetches the whole content.
    package func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await fetchContents(of: identifier, resumingAt: nil, into: destination, progress: progress)
    }

    /// Fetches the content, and resumes an interrupted download if the version is still the same.
    package func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem {
        let place = try place(identifier)
        guard !place.isRoot else { throw Self.folderHasNoContent(place) }
        let before = try await describe(existing(place), at: place)
        guard !before.isFolder else { throw Self.folderHasNoContent(place) }
        var offset = 0
        if let start, start.version == before.version, start.offset < before.size ?? .max,
            start.offset <= destination.resumableBytes
        {
            offset = start.offset
        }
        let receiver = ContentReceiver(destination, from: offset, total: before.size, progress: progress)
        do {
            try await read(place, from: offset, into: receiver)
            try await progress.report(completed: receiver.position, total: before.size)
        } catch let error as FileProviderError {
            // A document that is being replaced is cut off and missing for a moment. That is not an error of the
            // service. Some services still list the old version a moment after they cut it off.
            _ = try await unchanged(place, since: before)
            for pause in Self.pausesAfterCut where error.code == .serverUnreachable {
                try await Task.sleep(for: pause)
                _ = try await unchanged(place, since: before)
            }
            throw error
        }
        let after = try await unchanged(place, since: before)
        guard after.size == nil || after.size == receiver.position else { throw Self.changedMeanwhile(place) }
        return after
    }

    /// The document, unchanged since it was read.
    ///
    /// - Throws: `FileProviderError`: busy when it has another version by now.
    private func unchanged(_ place: RemotePlace, since before: FileProviderItem) async throws -> FileProviderItem {
        let now = try await describe(existing(place), at: place)
        guard !now.isFolder, now.version == before.version else { throw Self.changedMeanwhile(place) }
        return now
    }

    /// Reads a listed document. While it is being replaced it can be missing for a moment, so the request is repeated.
    private func read(_ place: RemotePlace, from offset: Int, into receiver: ContentReceiver) async throws {
        for _ in 0..<Self.mostQuestions {
            try await get(place, from: offset, into: receiver)
            guard let refusal = receiver.refusal else { return }
            let error = await session.error(refusal, cannot: "read \"\(place.filename)\"", names: [place.remote])
            guard error.code == .noSuchItem else { throw error }
            _ = try await existing(place)
        }
        throw FileProviderError(.serverUnreachable, "The service lists \"\(place.filename)\" but does not deliver it.")
    }

    /// Whether it is fetched again is for the host to decide, so the message does not say.
    static func changedMeanwhile(_ place: RemotePlace) -> FileProviderError {
        FileProviderError(.busy, "\"\(place.filename)\" was changed while it was being fetched.")
    }

    /// Whether the document at a place has exactly this content, byte by byte.
    func isSame(_ place: RemotePlace, _ entry: RcloneEntry, as contents: ContentReader) async throws -> Bool {
        guard !entry.isFolder, entry.size ?? contents.size == contents.size else { return false }
        let receiver = SameContentReceiver(contents)
        do {
            try await get(place, from: 0, into: receiver)
        } catch let error as FileProviderError where error.code == .serverUnreachable {
            throw error
        } catch is FileProviderError {
            return false
        }
        return receiver.isSame
    }

    func get(
        _ place: RemotePlace, of remote: String? = nil, from offset: Int, to end: Int? = nil,
        into receiver: any RcloneRequest.Receiver
    ) async throws {
        let connection = try await session.connected()
        let path = RemotePlace.encoded("[\(remote ?? connection.root)]".utf8) + "/" + place.encoded
        _ = try await transfers.pass {
            try await RcloneRequest(
                to: connection.endpoint, path: path, body: nil, offset: offset, end: end, patience: 60, into: receiver
            ).perform()
        }
        guard !connection.endpoint.process.hasEnded else { throw connection.endpoint.process.end }
    }

    static func folderHasNoContent(_ place: RemotePlace) -> FileProviderError {
        FileProviderError(.invalidArgument, "\"\(place.filename)\" is a folder; it has no content.")
    }
}
