import FileProvider
import FoundationEssentials
import HTTPTransport
import Synchronization

/// A package that is being built on the server, in a hidden folder beside its place. COPY adds the unchanged elements,
/// PUT the new ones, and a rename puts the folder in its place. A half-built package is never visible.
///
/// The old package is first renamed out of the way, compared once more, and removed afterwards: no server replaces a
/// folder in one step (Apache removes the old one element by element). Between the two renames the place is empty.
final class RemotePackage: PackageReplacement {
    private let provider: WebDAVProvider
    private let target: RemotePath
    private let staged: RemotePath
    private let displaced: RemotePath
    /// The old package when the change began; nil for a new package.
    private let former: [ExactText: RemoteEntry]?
    private let elements: [ExactText: PackageElement]
    private let operation: ChangeOperation
    private let given = Mutex<Set<ExactText>>([])
    private let tried = Mutex<Set<ExactText>>([])

    /// Makes the folder, and copies the unchanged elements.
    ///
    /// - Parameter former: The old package; nil for a new package.
    /// - Throws: `FileProviderError`: versionOutOfDate when an element that should stay was changed, notSupported when
    ///   the server does not copy.
    init(
        provider: WebDAVProvider, target: RemotePath, former: [ExactText: RemoteEntry]?, elements: [PackageElement],
        operation: ChangeOperation
    ) async throws {
        guard let name = TemporaryUpload.name(operation), let old = TemporaryUpload.displacedName(operation) else {
            throw FileProviderError(.invalidArgument, "The operation has no name.")
        }
        self.provider = provider
        self.target = target
        staged = target.parent.appending(name)
        displaced = target.parent.appending(old)
        self.former = former
        self.elements = Dictionary(elements.map { (ExactText($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        self.operation = operation
        do {
            try await build()
        } catch {
            await discard()
            throw error
        }
    }

    private func build() async throws {
        let unchanged = elements.values.filter { !$0.isFolder && $0.version != nil }
        for element in unchanged {
            let source = element.source ?? element.path
            guard let there = former?[ExactText(source)], !there.isFolder, there.version == element.version else {
                throw FileProviderError(
                    .versionOutOfDate, "\"\(source)\" of the package was changed on the server meanwhile.")
            }
        }
        // Left by an interrupted attempt.
        try? await provider.removeFolder(staged, isRecursive: true)
        try await makeFolder(staged)
        var folders: Set<[LocalName]> = []
        for element in elements.values {
            var names = try place(element.path).names.dropFirst(staged.names.count)
            if !element.isFolder { names = names.dropLast() }
            while !names.isEmpty {
                folders.insert(Array(names))
                names = names.dropLast()
            }
        }
        for folder in folders.sorted(by: { $0.count < $1.count }) {
            try await makeFolder(RemotePath(staged.names + folder))
        }
        for element in unchanged {
            guard let there = former?[ExactText(element.source ?? element.path)] else { continue }
            let reply = try await provider.server.copy(there.path, to: place(element.path))
            if [405, 501].contains(reply.status) {
                throw FileProviderError(.notSupported, "The server does not copy documents.")
            }
            guard reply.isSuccess else {
                throw provider.server.error(reply, cannot: "copy \"\(there.path.displayed)\"")
            }
        }
    }

    private func makeFolder(_ path: RemotePath) async throws {
        let reply = try await provider.server.makeFolder(path)
        guard reply.isSuccess else {
            throw try await provider.parentError(reply, path, cannot: "make the folder \"\(path.displayed)\"")
        }
    }

    /// The path of an element in the staged folder.
    private func place(_ path: String) throws -> RemotePath {
        let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            LocalName(displayed: String(Substring($0)))
        }
        guard names.count <= 33, names.allSatisfy({ $0.map { !TemporaryUpload.isOne($0) } ?? false }) else {
            throw FileProviderError(.invalidArgument, "\"\(path)\" cannot be a path in a package.")
        }
        return RemotePath(staged.names + names.compactMap { $0 })
    }

    // MARK: Content

    var neededPaths: [String] {
        elements.values.filter { !$0.isFolder && $0.version == nil }.map(\.path).sorted()
    }

    func stage(_ path: String, contents: ContentReader) async throws {
        guard let element = elements[ExactText(path)], !element.isFolder, element.version == nil else {
            throw FileProviderError(.invalidArgument, "No content is needed at \"\(path)\".")
        }
        let place = try place(path)
        let isFirst = tried.withLock { $0.insert(ExactText(path)).inserted }
        let reply: HTTPReply
        do {
            reply = try await put(contents, at: place, isFirst: isFirst, .byCaller)
        } catch let error as FileProviderError where HTTPFailure.isConnectionClosed(error) {
            reply = try await put(contents, at: place, isFirst: false, .never)
        }
        guard reply.isSuccess else { throw provider.server.error(reply, cannot: "store \"\(path)\"") }
        guard let entry = try await provider.server.optional(place), entry.size == nil || entry.size == contents.size,
            try await provider.server.isIntact(place, contents)
        else {
            throw FileProviderError(
                .busy, "The server's copy of \"\(path)\" differs from what was sent. Nothing was replaced. Try again.")
        }
        given.withLock { _ = $0.insert(ExactText(path)) }
    }

    private func put(
        _ contents: ContentReader, at place: RemotePath, isFirst: Bool, _ repetition: HTTPRequest.Repetition
    ) async throws -> HTTPReply {
        // Some servers (copyparty) would store a second one under another name.
        if !isFirst { _ = try await provider.server.delete(place) }
        return try await provider.server.put(contents, at: place, repetition: repetition)
    }

    // MARK: Publishing

    func commit() async throws -> ModifiedItem {
        let given = given.withLock { $0 }
        if let missing = neededPaths.first(where: { !given.contains(ExactText($0)) }) {
            throw FileProviderError(.invalidArgument, "The content of \"\(missing)\" was not given.")
        }
        guard let former else { return ModifiedItem(item: try await create()) }
        let base = PackageBase(former)
        try await requireBase(base, at: target)
        // The staged folder is recorded as complete. If this attempt is interrupted from here on, the next one finishes
        // it.
        try provider.notes.add(operation, Array(JSONEncoder().encode(base)))
        return ModifiedItem(
            item: try await provider.replacements.replacing(target) {
                let reply = try await provider.server.move(
                    target, to: displaced, isFolder: true, replacing: false)
                guard reply.isSuccess else {
                    provider.notes.remove(operation)
                    throw provider.server.error(reply, cannot: "replace \"\(target.displayed)\"")
                }
                do {
                    try await requireBase(base, at: displaced)
                } catch {
                    // If it cannot be put back now, the next attempt does so.
                    try await restore()
                    throw error
                }
                return try await finish()
            })
    }

    private func create() async throws -> FileProviderItem {
        try provider.notes.add(operation)
        let reply = try await provider.creations.run(target) { [provider] in
            try await provider.server.move(staged, to: target, isFolder: true, replacing: false)
        }
        guard reply.isSuccess else {
            provider.notes.remove(operation)
            if reply.status == 412 {
                await discard()
                throw WebDAVProvider.collision(target)
            }
            throw try await provider.parentError(reply, target, cannot: "store \"\(target.displayed)\"")
        }
        return try await provider.movedPackage(staged, to: target)
    }

    /// Renames the staged folder to its empty place, and removes the old package.
    private func finish() async throws -> FileProviderItem {
        try await Self.finish(provider, staged: staged, displaced: displaced, target: target)
    }

    static func finish(
        _ provider: WebDAVProvider, staged: RemotePath, displaced: RemotePath, target: RemotePath
    ) async throws -> FileProviderItem {
        let reply = try await provider.server.move(staged, to: target, isFolder: true, replacing: false)
        guard reply.isSuccess else {
            throw provider.server.error(reply, cannot: "store \"\(target.displayed)\"", isConditional: true)
        }
        let item = try await provider.movedPackage(staged, to: target)
        // Anything left of it is harmless, because it is hidden.
        try? await provider.removeFolder(displaced, isRecursive: true)
        return item
    }

    private func restore() async throws {
        try await provider.restorePackage(displaced, to: target)
        provider.notes.remove(operation)
        await discard()
    }

    /// - Throws: `FileProviderError` versionOutOfDate when the package is not the base of the change.
    private func requireBase(_ base: PackageBase, at path: RemotePath) async throws {
        guard try await base.isSame(as: PackageBase(provider.server.tree(path))) else {
            throw Self.outOfDate(target)
        }
    }

    static func outOfDate(_ target: RemotePath) -> FileProviderError {
        FileProviderError(
            .versionOutOfDate, "\"\(target.displayed)\" was changed on the server meanwhile. Both are kept.")
    }

    private func discard() async { try? await provider.removeFolder(staged, isRecursive: true) }
}

/// A package that an earlier attempt put in its place. It needs nothing, and returns the same result.
struct FinishedPackage: PackageReplacement {
    let item: FileProviderItem

    var neededPaths: [String] { [] }

    func stage(_ path: String, contents: ContentReader) async throws {
        throw FileProviderError(.invalidArgument, "No content is needed at \"\(path)\".")
    }

    func commit() async throws -> ModifiedItem { ModifiedItem(item: item) }
}
