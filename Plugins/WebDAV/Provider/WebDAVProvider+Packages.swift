package import FileProvider
import FoundationEssentials
import HTTPTransport

extension WebDAVProvider: PackageFileProvider {
    /// Stages a package in a hidden folder beside its place. If an earlier attempt was interrupted while the package
    /// was put in its place, that is finished instead.
    ///
    /// - Throws: `FileProviderError`: notSupported on a server with file numbers, which a new folder would lose.
    package func beginPackage(
        _ target: PackageTarget, elements: [PackageElement], operation: ChangeOperation
    ) async throws -> any PackageReplacement {
        guard try await !server.traits().isNextcloud else {
            throw FileProviderError(.notSupported, "On a Nextcloud, the elements of a package are replaced one by one.")
        }
        switch target {
        case .existing(let identifier, _):
            let path = try await path(of: identifier)
            try await requireTrust(path, elements)
            if let item = try await finished(path, operation) { return FinishedPackage(item: item) }
            let there = try await existing(path, identifier)
            guard there.isFolder else {
                throw FileProviderError(.versionOutOfDate, "\"\(there.path.displayed)\" is not a folder any more.")
            }
            return try await RemotePackage(
                provider: self, target: there.path, former: server.tree(there.path), elements: elements,
                operation: operation)
        case .new(let parent, let filename):
            guard let name = LocalName(displayed: filename), !TemporaryUpload.isOne(name) else {
                throw FileProviderError(.invalidArgument, "\"\(filename)\" cannot be the name of a package.")
            }
            let path = try await path(of: parent).appending(name)
            try await requireTrust(path, elements)
            if let item = try await finished(path, operation) { return FinishedPackage(item: item) }
            if try await optional(path) != nil { throw Self.collision(path) }
            _ = try await server.existing(path.parent)
            return try await RemotePackage(
                provider: self, target: path, former: nil, elements: elements, operation: operation)
        }
    }

    // Elements are copied to their names, and the package is moved to its own.
    private func requireTrust(_ path: RemotePath, _ elements: [PackageElement]) async throws {
        let names = elements.flatMap { $0.path.utf8.split(separator: UInt8(ascii: "/")) }.compactMap {
            LocalName(displayed: String(Substring($0)))
        }
        guard try await trustsDestination(path),
            try await trustsDestination(
                RemotePath(path.parent.names + names.filter { !RiskyCharacters(in: RemotePath([$0])).isEmpty }))
        else {
            throw FileProviderError(
                .notSupported, "The server misreads names in \"\(path.displayed)\" when documents are moved.")
        }
    }

    /// The result of an operation that reached its renames; nil if it did not, or has to start again.
    private func finished(_ path: RemotePath, _ operation: ChangeOperation) async throws -> FileProviderItem? {
        guard notes.has(operation), let name = TemporaryUpload.name(operation),
            let old = TemporaryUpload.displacedName(operation)
        else { return nil }
        let (staged, displaced) = (path.parent.appending(name), path.parent.appending(old))
        let isStaged = try await server.optional(staged) != nil
        let there = try await server.optional(path)
        guard isStaged else {
            // The package is in its place; the old one may still be beside it.
            guard let there else { return nil }
            try? await removeFolder(displaced, isRecursive: true)
            return try await describe(there)
        }
        guard there == nil else {
            // The first rename was not made, or another client was faster. The operation starts again.
            notes.remove(operation)
            try? await removeFolder(displaced, isRecursive: true)
            return nil
        }
        if try await server.optional(displaced) != nil,
            let base = try? JSONDecoder().decode(PackageBase.self, from: Data(notes.bytes(operation))),
            try await !base.isSame(as: PackageBase(server.tree(displaced)))
        {
            try await restorePackage(displaced, to: path)
            notes.remove(operation)
            try? await removeFolder(staged, isRecursive: true)
            throw RemotePackage.outOfDate(path)
        }
        return try await RemotePackage.finish(self, staged: staged, displaced: displaced, target: path)
    }
}
