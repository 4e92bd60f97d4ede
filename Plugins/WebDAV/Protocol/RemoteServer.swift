import FileProvider
import FoundationEssentials
import HTTPTransport
import Synchronization

/// The WebDAV operations on one root. Knows nothing of items. Safe to use from any task.
final class RemoteServer: Sendable {
    let client: HTTPClient
    let locks: LockNotes
    /// The root as the user gave it, or the address to which the server redirected us.
    var address: ServerAddress { root.withLock { $0 } }

    private let root: Mutex<ServerAddress>
    private let agreed: Mutex<ServerAddress>
    private let known = Mutex<ServerTraits?>(nil)
    private let digests = Mutex<Bool?>(nil)
    private let locking = Mutex(Locking())

    /// What is known of the server's locks.
    struct Locking: Sendable {
        /// Whether its locks cannot be used, because it sends no token or fails.
        var isUnusable = false
        /// Whether its locks keep other clients out; nil until that was tried.
        var isKept: Bool?
        /// Whether MOVE needs the tokens of locks on both names (lighttpd).
        var wantsBoth = false
        /// Whether a condition with an encoded name never matches, so that even the holder of a lock is refused
        /// (ASGIWebDAV).
        var misreadsNames = false
    }

    var lockTraits: Locking {
        get { locking.withLock { $0 } }
        set { locking.withLock { $0 = newValue } }
    }

    /// Whether the server states digests of stored content; nil until that is known.
    var tellsDigests: Bool? {
        get { digests.withLock { $0 } }
        set { digests.withLock { $0 = newValue } }
    }

    /// - Parameter directory: The domain's storage.
    init(address: ServerAddress, certificateAuthority: String?, directory: String) {
        locks = LockNotes(directory: directory)
        root = Mutex(address)
        agreed = Mutex(address)
        client = HTTPClient(certificateAuthority: certificateAuthority)
    }

    /// Sets the secret for all later requests. They go to the agreed address again, even if the server redirected
    /// anonymous requests.
    func authenticate(with secret: HTTPIdentity.Secret) {
        client.authenticate(with: secret)
        let address = agreed.withLock { $0 }
        root.withLock { $0 = address }
        known.withLock { $0 = nil }
    }

    /// Moves the root permanently to another address.
    func move(to address: ServerAddress) {
        agreed.withLock { $0 = address }
        root.withLock { $0 = address }
        known.withLock { $0 = nil }
    }

    /// What the server can do. Requested once.
    func traits() async throws -> ServerTraits {
        if let traits = known.withLock({ $0 }) { return traits }
        let reply = try await client.perform(HTTPRequest("OPTIONS", address.url(of: .root)))
        guard reply.isSuccess || [404, 405, 410].contains(reply.status) else {
            throw error(reply, cannot: "look at the root")
        }
        if let moved = try? ServerAddress(url: reply.url), moved != address { root.withLock { $0 = moved } }
        var traits = ServerTraits(reply)
        if traits.isNextcloud { traits.nextcloud = try await NextcloudAddress(address)?.withChunks(client) }
        known.withLock { $0 = traits }
        return traits
    }

    /// Describes one resource.
    ///
    /// - Parameter copy: Gets the raw answer, including the locks on the resource.
    func entry(_ path: RemotePath, isFolder: Bool = false, copy: MemorySink? = nil) async throws -> Lookup {
        var (reply, entries) = try await propfind(path, depth: "0", isFolder: isFolder, copy: copy)
        if reply.status == 404 || reply.status == 410 {
            return try await isConfirmedGone(path) ? .gone : .unknown(reply)
        }
        // Apache answers 400 for a path below a document.
        if reply.status == 400, !path.isRoot, case .found(let parent) = try await self.entry(path.parent),
            !parent.isFolder
        {
            return .gone
        }
        guard reply.status == 207 else { throw error(reply, cannot: "look at \"\(path.displayed)\"") }
        guard let found = entries.first(where: { $0.path.identifier == path.identifier }) else {
            throw FileProviderError(.failed, "The server described something other than \"\(path.displayed)\".")
        }
        entries = []
        var entry = found
        entry.path = path
        return .found(entry)
    }

    /// Describes one resource that has to exist.
    ///
    /// - Throws: `FileProviderError`: noSuchItem only if it certainly does not exist.
    func existing(_ path: RemotePath) async throws -> RemoteEntry {
        switch try await entry(path) {
        case .found(let entry): return entry
        case .gone: throw FileProviderError(.noSuchItem, "\"\(path.displayed)\" is not on the server any more.")
        case .unknown(let reply): throw Self.unknown(reply)
        }
    }

    /// Describes one resource; nil if it certainly does not exist.
    ///
    /// - Parameter copy: Gets the raw answer, including the locks on the resource.
    func optional(_ path: RemotePath, copy: MemorySink? = nil) async throws -> RemoteEntry? {
        switch try await entry(path, copy: copy) {
        case .found(let entry): return entry
        case .gone: return nil
        case .unknown(let reply): throw Self.unknown(reply)
        }
    }

    /// Describes the contents of a folder without our temporary uploads, sorted by name, each name once. Other places
    /// in the answer are left out.
    func entries(in folder: RemotePath) async throws -> [RemoteEntry] {
        try await everything(in: folder).filter { $0.path.name.map { !TemporaryUpload.isOne($0) } ?? false }
    }

    /// The contents of a folder, including our temporary uploads.
    func everything(in folder: RemotePath) async throws -> [RemoteEntry] {
        let (reply, entries) = try await propfind(folder, depth: "1", isFolder: true)
        if reply.status == 404 || reply.status == 410 {
            if try await isConfirmedGone(folder) {
                throw FileProviderError(
                    .noSuchItem, "The folder \"\(folder.displayed)\" is not on the server any more.")
            }
            throw Self.unknown(reply)
        }
        guard reply.status == 207 else { throw error(reply, cannot: "list \"\(folder.displayed)\"") }
        guard entries.first(where: { $0.path.identifier == folder.identifier })?.isFolder != false else {
            throw FileProviderError(.invalidArgument, "\"\(folder.displayed)\" is not a folder on the server.")
        }
        var seen: Set<LocalName> = []
        var result: [RemoteEntry] = []
        result.reserveCapacity(entries.count)
        for var entry in entries where entry.path.names.count == folder.names.count + 1 {
            guard let name = entry.path.name, entry.path.parent.identifier == folder.identifier,
                seen.insert(name).inserted
            else { continue }
            entry.path = folder.appending(name)
            result.append(entry)
        }
        return result.sorted { ($0.path.name?.bytes ?? []).lexicographicallyPrecedes($1.path.name?.bytes ?? []) }
    }

    /// Whether "not found" can be believed, because a folder above answers properly. A share that answers "not found"
    /// to everything is not available, and its answers prove no deletion.
    private func isConfirmedGone(_ path: RemotePath) async throws -> Bool {
        var folder = path
        while !folder.isRoot {
            folder = folder.parent
            let (reply, _) = try await propfind(folder, depth: "0", isFolder: true)
            if reply.status == 207 { return true }
            guard reply.status == 404 || reply.status == 410 else {
                throw error(reply, cannot: "look at \"\(folder.displayed)\"")
            }
        }
        return false
    }

    private static func unknown(_ reply: HTTPReply) -> FileProviderError {
        FileProviderError(
            .serverUnreachable,
            "The server says that nothing exists, not even the root. Check the url of the domain; nothing "
                + "was treated as deleted.",
            underlying: [ErrorDetail(domain: "HTTP", code: reply.status, text: "The server answered \(reply.status).")])
    }

    /// Whether one request finds something at a place. A resource that is not found may exist all the same.
    func isSeen(_ path: RemotePath, isFolder: Bool = false) async throws -> Bool {
        try await propfind(path, depth: "0", isFolder: isFolder).0.status == 207
    }

    private static let pausesAfterBreakdown: [Duration] = [.milliseconds(100), .milliseconds(500)]

    /// Asks once, and again if the server fails in the middle of its answer, as some do when others change the folder.
    private func propfind(
        _ path: RemotePath, depth: String, isFolder: Bool, copy: MemorySink? = nil
    ) async throws -> (HTTPReply, [RemoteEntry]) {
        for pause in Self.pausesAfterBreakdown {
            do {
                return try await propfindOnce(path, depth: depth, isFolder: isFolder, copy: copy)
            } catch let error as FileProviderError where MultistatusParser.isBreakdown(error) {
                try await Task.sleep(for: pause)
            }
        }
        return try await propfindOnce(path, depth: depth, isFolder: isFolder, copy: copy)
    }

    private func propfindOnce(
        _ path: RemotePath, depth: String, isFolder: Bool, copy: MemorySink?
    ) async throws -> (HTTPReply, [RemoteEntry]) {
        var request = HTTPRequest("PROPFIND", address.url(of: path, isFolder: isFolder))
        request.headers = [("Depth", depth), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = .bytes(copy == nil ? RequestBody.properties : RequestBody.propertiesAndLocks)
        let sink = MultistatusSink(address, in: isFolder ? path : path.parent)
        let reply = try await client.perform(request, into: copy.map { CopyingSink(sink, $0) } ?? sink)
        guard reply.status == 207 else { return (reply, []) }
        // A server that does not say its time is taken to have ours.
        let now = reply["date"].flatMap(HTTPDate.seconds) ?? Date.now.timeIntervalSince1970
        return (
            reply,
            try sink.finish().map { entry in
                var entry = entry
                entry.observed = now
                return entry
            }
        )
    }

    /// The error for an answer.
    ///
    /// - Parameter isConditional: Whether the request had a condition. Without one, 412 does not mean a change by
    ///   another client.
    func error(_ reply: HTTPReply, cannot what: String, isConditional: Bool = false) -> FileProviderError {
        guard isConditional || reply.status != 412 else {
            return FileProviderError(
                .failed,
                "The server did not \(what): it answered 412, although the request had no condition. Try again later.",
                underlying: [ErrorDetail(domain: "HTTP", code: 412, text: "The server answered 412.")])
        }
        return HTTPFailure.error(
            reply: reply, cannot: what, isAnonymous: client.isAnonymous, showsToken: client.showsToken)
    }
}

/// The three possible results of a lookup.
enum Lookup {
    case found(RemoteEntry)
    /// Certainly.
    case gone
    /// The server does not answer properly.
    case unknown(HTTPReply)
}
