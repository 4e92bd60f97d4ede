import FileProvider
import Synchronization

/// The folder of a domain, and the way from identifiers to files. Everything is opened below the root, and links are
/// not followed. Safe to use from any thread.
final class FolderTree: Sendable {
    /// The open root folder.
    struct Root: Sendable {
        let directory: LocalDirectory
        let identity: LocalFileIdentity
        let device: UInt64
    }

    /// A file or folder that was found.
    struct Located: Sendable {
        let identifier: ItemIdentifier
        let directory: LocalDirectory
        let path: [LocalName]
        let name: LocalName
        let facts: LocalFileFacts
        let identity: LocalFileIdentity
    }

    let path: String
    let log: IdentityLog
    let index = PlaceIndex()
    private let opened = Mutex<Root?>(nil)
    /// Folders that were not found, and when.
    private let missed = Mutex<[LocalFileIdentity: ContinuousClock.Instant]>([:])

    init(path: String, log: IdentityLog) {
        self.path = path
        self.log = log
    }

    /// The root folder, reopened if it was removed or replaced.
    ///
    /// - Throws: `FileProviderError` with `serverUnreachable`: if the folder cannot be opened, nothing is known about
    ///   its contents.
    func root() throws -> Root {
        if let root = opened.withLock({ $0 }), try root.directory.facts().links > 0 { return root }
        do {
            let directory = try LocalDirectory(path: path)
            let facts = try directory.facts()
            // A mount keeps a removed folder alive; its contents say nothing about its successor.
            guard facts.links > 0 else { throw FileProviderError(.noSuchItem, "It was removed.") }
            let root = Root(
                directory: directory, identity: LocalFileIdentity(facts, rootDevice: facts.device), device: facts.device
            )
            opened.withLock { $0 = root }
            return root
        } catch {
            let isMissing = (error as? FileProviderError)?.code == .noSuchItem
            throw FileProviderError(
                .serverUnreachable, "The folder \(path) \(isMissing ? "does not exist" : "cannot be opened").",
                causedBy: error)
        }
    }

    /// The names from the root to a known file.
    func path(of identity: LocalFileIdentity) throws -> [LocalName]? {
        index.path(of: identity, root: try root().identity)
    }

    /// Opens a known folder, wherever it is now.
    ///
    /// - Throws: `FileProviderError` if it cannot be found; for the next ten seconds it is not searched for again.
    func directory(_ identity: LocalFileIdentity) throws -> LocalDirectory {
        let root = try root()
        if identity == root.identity { return root.directory }
        if let path = index.path(of: identity, root: root.identity),
            let directory = try? root.directory.directory(at: path),
            LocalFileIdentity(try directory.facts(), rootDevice: root.device) == identity
        {
            return directory
        }
        let isHopeless = missed.withLock { missed in
            missed = missed.filter { .now - $0.value < .seconds(10) }
            return missed[identity] != nil
        }
        do {
            guard !isHopeless else { throw FileProviderError(.noSuchItem, "The folder is gone.") }
            return try folder(ItemIdentifier(log.identifier(of: identity)))
        } catch {
            missed.withLock { $0[identity] = .now }
            throw error
        }
    }

    /// Opens a folder by its identifier.
    func folder(_ identifier: ItemIdentifier) throws -> LocalDirectory {
        if identifier == .rootContainer { return try root().directory }
        let located = try locate(identifier)
        guard located.facts.kind == .folder else {
            throw FileProviderError(.invalidArgument, "\"\(located.name.displayed)\" is not a folder.")
        }
        return try located.directory.directory(at: [located.name])
    }

    /// The identifier of an open folder.
    func identifier(of directory: LocalDirectory) throws -> ItemIdentifier {
        let root = try root()
        let identity = LocalFileIdentity(try directory.facts(), rootDevice: root.device)
        return identity == root.identity ? .rootContainer : ItemIdentifier(log.identifier(of: identity))
    }

    /// Finds an item: at its last place, then by its number in the whole tree, then, if it is nowhere, as a newer file
    /// at its place, which is how other programs save.
    ///
    /// - Throws: `FileProviderError` with `noSuchItem` only if the whole tree was searched twice for every file that
    ///   the identifier stood for.
    func locate(_ identifier: ItemIdentifier) throws -> Located {
        let root = try root()
        for _ in 0..<Self.maximumReplacements {
            let candidates = candidates(for: identifier.rawValue)
            guard !candidates.isEmpty else {
                throw FileProviderError(.noSuchItem, "There is no item with the identifier \(identifier).")
            }
            if let found = try find(identifier, candidates, in: root) { return found }
            // A save through this provider may have replaced the file since the search began.
            guard self.candidates(for: identifier.rawValue) != candidates else {
                throw FileProviderError(.noSuchItem, "The item is gone.")
            }
        }
        throw FileProviderError(.serverUnreachable, "The item is replaced faster than it can be found.")
    }

    /// The most saves during one search for an item before the search fails.
    private static let maximumReplacements = 20

    /// Searches once for the files that an identifier stands for.
    ///
    /// - Returns: nil if none was found anywhere.
    private func find(
        _ identifier: ItemIdentifier, _ candidates: [LocalFileIdentity], in root: Root
    ) throws -> Located? {
        let id = identifier.rawValue
        var paths = candidates.compactMap { index.path(of: $0, root: root.identity) }
        if let hint = log.read({ $0.hints[id] }) { paths.append(hint) }
        for path in paths {
            if let found = try look(at: path, for: identifier, in: root), candidates.contains(found.identity) {
                return remember(found)
            }
        }
        var complete = true
        for _ in 0..<2 {
            let search = try TreeSearch.find(Set(candidates), in: root, index: index)
            if let path = search.path, let found = try look(at: path, for: identifier, in: root),
                candidates.contains(found.identity)
            {
                return remember(found)
            }
            complete = complete && search.isComplete
        }
        for path in paths.reversed() {
            guard let found = try look(at: path, for: identifier, in: root), isNewer(found, than: candidates),
                try log.pass(id, to: found.identity)
            else { continue }
            return remember(found)
        }
        guard complete else {
            throw FileProviderError(.serverUnreachable, "Not all of \(self.path) could be searched for the item.")
        }
        return nil
    }

    /// The files that an identifier may stand for, the most likely first, without those that belong to another
    /// identifier.
    private func candidates(for identifier: String) -> [LocalFileIdentity] {
        log.read { records in
            var all = records.identities[identifier] ?? []
            if let original = LocalFileIdentity(identifier), records.identifiers[original] ?? identifier == identifier,
                !all.contains(original)
            {
                all.append(original)
            }
            return all
        }
    }

    private func look(at path: [LocalName], for identifier: ItemIdentifier, in root: Root) throws -> Located? {
        guard let name = path.last, !UnlistedName.isOne(name) else { return nil }
        do {
            let directory = try root.directory.directory(at: path.dropLast())
            let facts = try directory.facts(of: name)
            guard facts.kind != .other || facts.isSymbolicLink else { return nil }
            return Located(
                identifier: identifier, directory: directory, path: path, name: name, facts: facts,
                identity: LocalFileIdentity(facts, rootDevice: root.device))
        } catch let error as FileProviderError where [.noSuchItem, .notPermitted].contains(error.code) {
            return nil
        }
    }

    private func isNewer(_ found: Located, than candidates: [LocalFileIdentity]) -> Bool {
        found.facts.kind == .file && candidates.allSatisfy { $0.birth <= found.identity.birth }
    }

    private func remember(_ found: Located) -> Located {
        log.saw(found.identifier.rawValue, at: found.path)
        if let folder = try? LocalFileIdentity(found.directory.facts(), rootDevice: root().device) {
            index.record(found.identity, at: .init(folder: folder, name: found.name))
        }
        return found
    }
}
