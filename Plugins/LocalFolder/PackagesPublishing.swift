import FileProvider

/// A package that was put in its place before: it needs no content, and its answer is the same.
struct PublishedPackage: PackageReplacement {
    let result: ModifiedItem

    var neededPaths: [String] { [] }

    func stage(_ path: String, contents: ContentReader) async throws {
        throw FileProviderError(.invalidArgument, "No content is needed at \"\(path)\".")
    }

    func commit() async throws -> ModifiedItem { result }
}

/// A package staged in a hidden folder beside its place.
final class StagedPackage: PackageReplacement {
    /// The place of the package.
    enum Place: Sendable {
        case replacing(FolderTree.Located, ItemVersion?)
        case new(LocalName, LocalDirectory, ItemIdentifier)
    }

    private let provider: LocalFolderProvider
    private let staged: LocalPackageReplacement
    private let place: Place
    private let operation: ChangeOperation

    init(
        provider: LocalFolderProvider, staged: LocalPackageReplacement, place: Place, operation: ChangeOperation
    ) {
        self.provider = provider
        self.staged = staged
        self.place = place
        self.operation = operation
    }

    var neededPaths: [String] { staged.neededPaths }

    func stage(_ path: String, contents: ContentReader) async throws { try staged.stage(path, contents: contents) }

    func commit() async throws -> ModifiedItem { try await commit(metadata: nil) }

    func commit(metadata: ItemMetadata?) async throws -> ModifiedItem {
        try staged.seal(metadata: metadata)
        // Its own date changed during staging.
        let sealed = try staged.tree.facts()
        provider.thumbnails.keep(metadata?.thumbnail, of: sealed)
        do {
            return try publish(try LocalPackageContents(staged.tree))
        } catch {
            provider.thumbnails.forget(sealed)
            throw error
        }
    }

    private func publish(_ contents: LocalPackageContents) throws -> ModifiedItem {
        var result: ModifiedItem
        switch place {
        case .replacing(let located, let base):
            result = try provider.replace(located, base, staged, contents, operation)
            if result.conflict == nil { provider.thumbnails.forget(located.facts) }
        case .new(let name, let folder, let parent):
            result = try provider.create(name, folder, parent, staged, contents, operation)
        }
        // The version of the whole package as staged: another program may have changed it already.
        result.item.version = contents.version
        return result
    }
}

extension LocalFolderProvider {
    /// The package and its elements keep their identifiers: this is recorded in the log before any name changes.
    func replace(
        _ located: FolderTree.Located, _ base: ItemVersion?, _ staged: LocalPackageReplacement,
        _ contents: LocalPackageContents, _ operation: ChangeOperation
    ) throws -> ModifiedItem {
        let device = try tree.root().device
        let identity = LocalFileIdentity(staged.facts, rootDevice: device)
        var bound: [(identifier: String, identity: LocalFileIdentity)] = []
        for (path, element) in contents.elements {
            guard let old = staged.former?.elements[staged.sources[path] ?? path],
                old.facts.kind == element.facts.kind
            else { continue }
            let kept = tree.log.identifier(of: LocalFileIdentity(old.facts, rootDevice: device))
            bound.append((kept, LocalFileIdentity(element.facts, rootDevice: device)))
        }
        bound.append((located.identifier.rawValue, identity))
        try tree.log.note(operation, identity, isDone: false)
        for (index, binding) in bound.enumerated() {
            try tree.log.bind(binding.identifier, binding.identity, durably: index == bound.count - 1)
        }
        let outcome: LocalPackageReplacement.Outcome
        do {
            outcome = try staged.replace(base: base)
        } catch {
            let now = try? located.directory.facts(of: located.name)
            if now?.inode != staged.facts.inode {
                for binding in bound { tree.log.unbind(binding.identifier, binding.identity) }
            }
            throw error
        }
        record(contents, in: identity, device)
        try tree.log.note(operation, identity, isDone: true)
        return try finishPackage(located, outcome.conflict)
    }

    /// Returns the result. The elements of a displaced package had the identifiers of the new ones until now; they need
    /// new ones.
    func finishPackage(_ located: FolderTree.Located, _ conflict: LocalName?) throws -> ModifiedItem {
        let result = try finish(located, conflict)
        guard let conflict, let kept = try? LocalPackageContents(located.directory.directory(at: [conflict])) else {
            return result
        }
        let device = try tree.root().device
        for element in kept.elements.values {
            let identity = LocalFileIdentity(element.facts, rootDevice: device)
            let identifier = tree.log.identifier(of: identity)
            let isShared = tree.log.read { $0.identities[identifier]?.contains { $0 != identity } ?? false }
            guard isShared else { continue }
            let own = "\(identity.text)~\(String(UInt64.random(in: .min ... .max), radix: 36))"
            try tree.log.bind(own, identity, durably: false)
        }
        return result
    }

    func create(
        _ name: LocalName, _ folder: LocalDirectory, _ parent: ItemIdentifier, _ staged: LocalPackageReplacement,
        _ contents: LocalPackageContents, _ operation: ChangeOperation
    ) throws -> ModifiedItem {
        let device = try tree.root().device
        let identity = LocalFileIdentity(staged.facts, rootDevice: device)
        try tree.log.note(operation, identity, isDone: false)
        let facts = try staged.create()
        guard let item = try describe(name, facts, in: folder, parent) else {
            throw FileProviderError(.versionOutOfDate, "\"\(name.displayed)\" was replaced just now.")
        }
        record(contents, in: identity, device)
        try tree.log.note(operation, identity, isDone: true)
        tree.log.saw(item.identifier.rawValue, at: try tree.path(of: identity) ?? [])
        return ModifiedItem(item: item)
    }

    // So that an element is found by its identifier without a search.
    private func record(_ contents: LocalPackageContents, in package: LocalFileIdentity, _ device: UInt64) {
        var folders: [[LocalName]: LocalFileIdentity] = [[]: package]
        for element in contents.elements.values.sorted(by: { $0.path.count < $1.path.count }) {
            guard let name = element.path.last, let folder = folders[element.path.dropLast()] else { continue }
            let identity = LocalFileIdentity(element.facts, rootDevice: device)
            if element.facts.kind == .folder { folders[element.path] = identity }
            tree.index.record(identity, at: .init(folder: folder, name: name))
        }
    }
}
