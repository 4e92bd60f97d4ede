import FileProvider

/// Scans a presented item: pins the folders above and below it, and takes its fingerprint.
struct FolderSurvey {
    /// The pinned folders; each has to be unpinned once.
    private(set) var pinned: [LocalFileIdentity] = []
    /// The pinned folders below the item.
    private(set) var below: Set<LocalFileIdentity> = []
    /// Whether all folders could be pinned.
    private(set) var isComplete = true
    /// The names from the root to the item; empty for the root.
    private(set) var path: [LocalName] = []
    /// The version of a file; nil for folders.
    private(set) var version: ItemVersion?

    private let tree: FolderTree
    private let watcher: FolderWatcher?
    private let limits: WatchLimits

    /// - Throws: `FileProviderError`; `noSuchItem` only if the item is certainly gone. Nothing stays pinned then.
    init(
        _ identifier: ItemIdentifier, in tree: FolderTree, watcher: FolderWatcher?, limits: WatchLimits
    ) throws {
        self.tree = tree
        self.watcher = watcher
        self.limits = limits
        let root = try tree.root()
        var directory = root.directory
        var identity = root.identity
        var isFolder = true
        if identifier != .rootContainer {
            let located = try tree.locate(identifier)
            path = located.path
            isFolder = located.facts.kind == .folder
            version = isFolder ? nil : located.facts.version
        }
        pin(directory, identity)
        for (position, name) in path.enumerated() where isFolder || position < path.count - 1 {
            // If it is being moved away, the existing watches notice.
            guard let next = try? directory.directory(at: [name]), let facts = try? next.facts() else { break }
            let own = LocalFileIdentity(facts, rootDevice: root.device)
            tree.index.record(own, at: .init(folder: identity, name: name))
            (directory, identity) = (next, own)
            pin(directory, identity)
        }
        if isFolder { pinAll(below: directory, identity, root) }
    }

    private mutating func pin(_ directory: LocalDirectory, _ identity: LocalFileIdentity) {
        if watcher?.pin(directory, identity) == true { pinned.append(identity) } else { isComplete = false }
    }

    /// Watches before listing, so that nothing is missed in between.
    private mutating func pinAll(below top: LocalDirectory, _ identity: LocalFileIdentity, _ root: FolderTree.Root) {
        var rest: [(directory: LocalDirectory, identity: LocalFileIdentity, depth: Int)] = [(top, identity, 0)]
        while let folder = rest.popLast(), isComplete {
            guard let listing = try? LocalListing(folder.directory) else { continue }
            for position in listing.indices {
                let kind = listing.kind(position)
                guard kind == .folder || kind == nil else { continue }
                let name = listing[position].name
                guard !UnlistedName.isOne(name), let directory = try? folder.directory.directory(at: [name]),
                    let facts = try? directory.facts()
                else { continue }
                guard below.count < limits.foldersBelow, folder.depth < 128 else {
                    isComplete = false
                    break
                }
                let own = LocalFileIdentity(facts, rootDevice: root.device)
                tree.index.record(own, at: .init(folder: folder.identity, name: name))
                pin(directory, own)
                below.insert(own)
                rest.append((directory, own, folder.depth + 1))
            }
        }
    }

    /// A number that changes with the names, sizes and times of a folder's contents at any depth, up to a limit.
    static func fingerprint(of top: LocalDirectory, limits: WatchLimits) -> Int {
        var hasher = Hasher()
        var files = 0
        var rest = [(directory: top, depth: 0)]
        while let folder = rest.popLast(), files < limits.polledFiles {
            guard let listing = try? LocalListing(folder.directory) else { continue }
            for entry in listing {
                guard let facts = try? folder.directory.facts(of: entry.name), facts.kind != .other,
                    !UnlistedName.isOne(entry.name)
                else { continue }
                files += 1
                hasher.combine(entry.name)
                hasher.combine(facts.version)
                if facts.kind == .folder, folder.depth < 128, rest.count < 1_000,
                    let directory = try? folder.directory.directory(at: [entry.name])
                {
                    rest.append((directory, folder.depth + 1))
                }
            }
        }
        return hasher.finalize()
    }
}
