import FileProvider

/// Searches a whole tree for files by their inode numbers, reading directories only.
enum TreeSearch {
    /// The result of a search.
    struct Result: Sendable {
        var path: [LocalName]?
        /// Whether the whole tree could be read within the limits.
        var isComplete: Bool
    }

    private static let maximumEntries = 5_000_000
    private static let maximumDepth = 128
    private static let time: Duration = .seconds(10)

    /// Finds the first of the files.
    ///
    /// - Throws: `CancellationError`.
    static func find(_ wanted: Set<LocalFileIdentity>, in root: FolderTree.Root, index: PlaceIndex) throws -> Result {
        let inodes = Set(wanted.map(\.inode))
        let deadline = ContinuousClock.now + time
        var isComplete = true
        var entries = 0
        var rest: [[LocalName]] = [[]]
        while let path = rest.popLast() {
            guard entries < maximumEntries, ContinuousClock.now < deadline else {
                return Result(path: nil, isComplete: false)
            }
            let directory: LocalDirectory
            let listing: LocalListing
            do {
                directory = try root.directory.directory(at: path)
                listing = try LocalListing(directory)
            } catch let error as FileProviderError {
                // The contents of an unreadable folder never got identifiers, except those of the root, which was
                // readable once.
                if error.code != .notPermitted || path.isEmpty { isComplete = false }
                continue
            }
            entries += listing.count
            for position in listing.indices {
                let kind = listing.kind(position)
                let isCandidate = inodes.contains(listing.inode(position))
                guard isCandidate || kind == .folder || kind == nil else { continue }
                let name = listing[position].name
                // A temporary file of a save has the document's identity, but is not the document.
                guard !UnlistedName.isOne(name) else { continue }
                guard isCandidate || kind == nil else {
                    if path.count < maximumDepth { rest.append(path + [name]) } else { isComplete = false }
                    continue
                }
                guard let facts = try? directory.facts(of: name) else { continue }
                if wanted.contains(LocalFileIdentity(facts, rootDevice: root.device)) {
                    return Result(path: path + [name], isComplete: isComplete)
                }
                if facts.kind == .folder {
                    if path.count < maximumDepth { rest.append(path + [name]) } else { isComplete = false }
                }
            }
        }
        return Result(path: nil, isComplete: isComplete)
    }
}
