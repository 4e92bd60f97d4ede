import FileProvider

/// Looks for files by their numbers in a whole tree, reading directories only.
enum TreeSearch {
    /// What a search found.
    struct Result: Sendable {
        var path: [LocalName]?
        /// Whether all of the tree could be read within the bounds.
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
                // What may not be listed was never given an identifier; but the folder itself was listed when it could be read.
                if error.code != .notPermitted || path.isEmpty { isComplete = false }
                continue
            }
            entries += listing.count
            for position in listing.indices {
                let kind = listing.kind(position)
                let isCandidate = inodes.contains(listing.inode(position))
                guard isCandidate || kind == .folder || kind == nil else { continue }
                let name = listing[position].name
                // What a save left has the document's identity, and is not the document.
                guard !LocalFileReplacement.isTemporary(name) else { continue }
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
