extension DriveDevice {
    /// Creates a folder, or a document together with its first version.
    ///
    /// - Parameter item: Its identifier, which nobody uses.
    package func create(
        _ name: String, in parent: DriveIdentifier, content: NewContent? = nil, item: DriveIdentifier = .random()
    ) throws(DriveError) -> DriveIdentifier {
        try check(name, parent)
        var bodies = [
            RecordBody.place(item: item, parent: parent, name: name, isFolder: content == nil, previous: nil)
        ]
        if let content { bodies += content.bodies(item: item, parents: []) }
        try guardPacks(bodies)
        try commit([.journaled(records(bodies))])
        return item
    }

    /// Moves an item, renames it, or both.
    package func move(_ item: DriveIdentifier, to parent: DriveIdentifier, named name: String) throws(DriveError) {
        guard let place = tree.placements[item], tree.live.contains(item) else { throw .invalid("The item is gone.") }
        try check(name, parent)
        guard !tree.subtree(of: item).contains(parent) else { throw .invalid("A folder cannot be moved into itself.") }
        let body = RecordBody.place(
            item: item, parent: parent, name: name, isFolder: place.isFolder, previous: place.stamp)
        try commit([.journaled([record(body)])])
    }

    private func check(_ name: String, _ parent: DriveIdentifier) throws(DriveError) {
        guard RecordBody.isName(name) else { throw .invalid("That is no name for an item.") }
        guard parent == .root || (tree.live.contains(parent) && tree.placements[parent]?.isFolder == true) else {
            throw .invalid("The folder is gone.")
        }
    }

    /// Adds a version to a document.
    ///
    /// - Parameter parents: Exactly the versions that its author opened or resolved.
    package func add(
        _ content: NewContent, to item: DriveIdentifier, parents: [DriveIdentifier]
    ) throws(DriveError) {
        guard let place = tree.placements[item], !place.isFolder, !tree.purged.contains(item) else {
            throw .invalid("The document is gone.")
        }
        for parent in parents where tree.versions[parent]?.content.item != item {
            throw .invalid("The version is not one of this document.")
        }
        let bodies = content.bodies(item: item, parents: parents)
        try guardPacks(bodies)
        try commit([.journaled(records(bodies))])
    }

    /// Says that the content of a version, which was announced before, is in the store.
    package func arrived(_ version: DriveIdentifier, packs: [DriveIdentifier]) throws(DriveError) {
        guard tree.versions[version] != nil, !tree.arrived.contains(version) else { return }
        let body = RecordBody.arrived(version: version, packs: packs)
        try guardPacks([body])
        try commit([.journaled([record(body)])])
    }

    /// No record refers to a pack that somebody is about to remove, after this device has learned of that.
    private func guardPacks(_ bodies: [RecordBody]) throws(DriveError) {
        guard bodies.allSatisfy({ $0.packs.isDisjoint(with: state.avoided) }) else {
            throw .unreachable("The drive is being cleared up; the content has to be sent once more.")
        }
    }

    /// Puts items into the trash, folders with all that they show.
    package func trash(_ items: [DriveIdentifier]) throws(DriveError) {
        let tree = tree
        let covered = Set(items.filter { tree.live.contains($0) }.flatMap { tree.subtree(of: $0) }).sorted()
        guard !covered.isEmpty else { throw .invalid("The item is gone.") }
        let entries = covered.map { RecordBody.TrashedItem(item: $0, heads: tree.heads[$0] ?? []) }
        // A record has a greatest length; so many items that they do not fit are trashed by several.
        var bodies: [RecordBody] = []
        for start in stride(from: 0, to: entries.count, by: 1000) {
            bodies.append(.trash(Array(entries[start..<min(start + 1000, entries.count)])))
        }
        try commit([.journaled(records(bodies))])
    }

    /// Takes an item out of the trash, a folder with what was in it, back to where it was.
    package func restore(_ item: DriveIdentifier) throws(DriveError) {
        let tree = tree
        guard tree.trashed.contains(item), !tree.purged.contains(item) else {
            throw .invalid("The item is not in the trash.")
        }
        let bodies = tree.trashed.subtracting(tree.purged).sorted().compactMap { other -> RecordBody? in
            guard let place = tree.placements[other], other == item || tree.isPlaced(other, within: item) else {
                return nil
            }
            return .place(
                item: other, parent: place.parent, name: place.name, isFolder: place.isFolder, previous: place.stamp)
        }
        try commit([.journaled(records(bodies))])
    }

    /// Empties the trash of items, for good.
    package func purge(_ items: [DriveIdentifier]) throws(DriveError) {
        let tree = tree
        let entries = items.filter { tree.trashed.contains($0) && !tree.purged.contains($0) }.map {
            RecordBody.TrashedItem(item: $0, heads: tree.heads[$0] ?? [], trash: tree.trashNotes[$0]?.record)
        }
        guard !entries.isEmpty else { throw .invalid("The item is not in the trash.") }
        try commit([.journaled([record(.purge(entries))])])
    }

    /// The identifier of what a change makes: the same for a repetition of the change, so that it is recognised after a
    /// crash, and as good as random for everybody without the drive's key.
    package nonisolated func identifier(of operation: String, _ purpose: String) -> DriveIdentifier {
        DriveIdentifier(
            bytes: Sodium.hash(Array("\(purpose) \(operation)".utf8), key: chunkKey, size: 16)) ?? .random()
    }
}

/// A version that is being added.
package struct NewContent: Sendable {
    /// Its identifier.
    package let version: DriveIdentifier
    let manifest: ContentManifest
    let size: Int
    let modified: Int64
    let packs: [DriveIdentifier]?

    /// - Parameters:
    ///   - packs: The packs that hold it; nil if it has not been sent yet.
    ///   - modified: When the content was last changed, in milliseconds since 1970.
    ///   - version: Its identifier, which nobody uses.
    package init(
        _ manifest: ContentManifest, size: Int, modified: Int64, packs: [DriveIdentifier]?,
        version: DriveIdentifier = .random()
    ) {
        self.version = version
        self.manifest = manifest
        self.size = size
        self.modified = modified
        self.packs = packs
    }

    func bodies(item: DriveIdentifier, parents: [DriveIdentifier]) -> [RecordBody] {
        let content = ContentVersion(
            item: item, version: version, parents: parents, manifest: manifest, size: size, modified: modified)
        guard let packs, !content.isInline else { return [.content(content)] }
        return [.content(content), .arrived(version: version, packs: packs)]
    }
}

extension DriveTree {
    func isPlaced(_ item: DriveIdentifier, within folder: DriveIdentifier) -> Bool {
        var current = placements[item]?.parent
        var steps = 0
        while let next = current, steps <= placements.count {
            if next == folder { return true }
            current = placements[next]?.parent
            steps += 1
        }
        return false
    }
}
