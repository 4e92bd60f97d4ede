package import FileProvider
import HTTPTransport
import Synchronization

extension WebDAVProvider {
    /// How the server has answered requests for parts so far.
    struct PartTraits: Sendable {
        /// Whether the server refused a version with which it described the document, as it does when its tags are
        /// weak.
        var refusesConditions = false
        /// Whether its replies do not show their version, so that it has to be looked up first.
        var hidesVersions = false
    }

    private enum Outcome {
        case done(PartialContent)
        case refused(PartRequest.Refusal)
        /// The server answered with another status than 200 and 206.
        case answered(HTTPReply)
    }

    /// Fetches a part of the content, usually with one request: its reply shows the version. The document is looked up
    /// only if the reply is no part of that version.
    package func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent {
        let path = try await path(of: identifier)
        let traits = partTraits.withLock { $0 }
        var isConditional = !traits.refusesConditions
        if !traits.hidesVersions, PartRequest.isShowable(version) {
            let request = PartRequest(range, of: version, isConditional: isConditional)
            switch try await get(path, request, destination) {
            case .done(let part): return part
            case .refused(.unproven): partTraits.withLock { $0.hidesVersions = true }
            case .refused(.otherVersion), .refused(.young): break
            case .refused(let refusal): throw Self.error(refusal, path)
            case .answered(let reply):
                // Missing, being replaced, moved, changed, or shorter: the description says which.
                guard [403, 404, 410, 412, 416].contains(reply.status) else {
                    throw server.error(reply, cannot: "read \"\(path.displayed)\"", isConditional: true)
                }
                if reply.status == 412 { isConditional = false }
            }
        }
        let entry = try await existing(path, identifier)
        guard entry.isFolder || entry.version == version else { throw Self.changed(entry.path) }
        guard let settled = try await settled(entry, Settling.ageToRead) else {
            throw FileProviderError(.noSuchItem, "\"\(entry.path.displayed)\" is not on the server any more.")
        }
        return try await fetchPart(of: settled, version, range, destination, isConditional)
    }

    private func fetchPart(
        of entry: RemoteEntry, _ version: ItemVersion, _ range: Range<Int>, _ destination: PartialContentWriter,
        _ isConditional: Bool
    ) async throws -> PartialContent {
        guard !entry.isFolder else {
            throw FileProviderError(
                .invalidArgument, "\"\(entry.path.displayed)\" is a folder; it has no content.")
        }
        guard entry.version == version else { throw Self.changed(entry.path) }
        if !isConditional { partTraits.withLock { $0.refusesConditions = true } }
        if let size = entry.size, range.lowerBound >= size { return PartialContent(version: version, totalBytes: size) }
        let request = PartRequest(range, of: version, at: entry, isConditional: isConditional)
        switch try await get(entry.path, request, destination) {
        case .done(let part): return part
        case .refused(.otherVersion), .refused(.unproven), .refused(.young):
            guard try await server.existing(entry.path).version == version else { throw Self.changed(entry.path) }
            throw FileProviderError(
                .notSupported,
                "The server describes \"\(entry.path.displayed)\" differently when it sends a part of it. It can only "
                    + "be read as a whole.")
        case .refused(let refusal): throw Self.error(refusal, entry.path)
        case .answered(let reply):
            switch reply.status {
            case 404, 410:
                throw FileProviderError(
                    .serverUnreachable, "The server lists \"\(entry.path.displayed)\" but does not deliver it.")
            case 412: throw Self.changed(entry.path)
            case 416:
                throw FileProviderError(
                    .notSupported,
                    "The server does not send this part of \"\(entry.path.displayed)\". It can only be read as a whole."
                )
            default: throw server.error(reply, cannot: "read \"\(entry.path.displayed)\"", isConditional: true)
            }
        }
    }

    private func get(
        _ path: RemotePath, _ part: PartRequest, _ destination: PartialContentWriter
    ) async throws -> Outcome {
        var request = HTTPRequest("GET", server.address.url(of: path))
        request.headers = [("Accept-Encoding", "identity")] + part.headers
        request.isTransfer = true
        let sink = PartSink(part, destination)
        let reply: HTTPReply
        do {
            reply = try await server.client.perform(request, into: sink)
        } catch let refusal as PartRequest.Refusal {
            return .refused(refusal)
        } catch  where destination.isUnwanted {
            // The head of the reply has shown the version of what was written.
            return .done(PartialContent(version: part.version, totalBytes: sink.part?.total))
        }
        guard reply.isSuccess else { return .answered(reply) }
        guard sink.isComplete else {
            throw FileProviderError(
                .serverUnreachable, "The server sent less of \"\(path.displayed)\" than it announced. Try again later.")
        }
        return .done(PartialContent(version: part.version, totalBytes: sink.part?.total))
    }

    private static func changed(_ path: RemotePath) -> FileProviderError {
        FileProviderError(.versionOutOfDate, "\"\(path.displayed)\" was changed on the server meanwhile.")
    }

    private static func error(_ refusal: PartRequest.Refusal, _ path: RemotePath) -> FileProviderError {
        switch refusal {
        case .encoded:
            FileProviderError(
                .failed, "The server sent \"\(path.displayed)\" in an encoding that was not requested.")
        case .wrongPart:
            FileProviderError(
                .notSupported,
                "The server sent a different part of \"\(path.displayed)\" from the one requested. It can only be read "
                    + "as a whole.")
        case .whole, .otherVersion, .unproven, .young:
            FileProviderError(
                .notSupported,
                "The server does not send parts of \"\(path.displayed)\". It can only be read as a whole.")
        }
    }
}
