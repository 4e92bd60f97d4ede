/// From a base and a set of records to the tree: a pure function, in which the order of the records does not matter.
package enum TreeFold {
    /// Where the items are after all place records above the floor, in the order of their stamps. A move of a folder
    /// into itself or into what it contains has no effect.
    package static func placements(
        base: [DriveIdentifier: Placement], floor: UInt64, records: some Sequence<DriveRecord>
    ) -> [DriveIdentifier: Placement] {
        var places = base
        let moves = records.filter {
            if case .place = $0.body { return $0.stamp.lamport > floor }
            return false
        }.sorted { $0.stamp < $1.stamp }
        for record in moves {
            guard case .place(let item, let parent, let name, let isFolder, _) = record.body else { continue }
            if isWithin(parent, item, places) {
                places[item]?.touched = record.stamp
            } else {
                places[item] = Placement(
                    parent: parent, name: name, isFolder: isFolder, stamp: record.stamp, time: record.time,
                    touched: record.stamp)
            }
        }
        return places
    }

    /// Folds everything.
    ///
    /// - Parameters:
    ///   - base: The tree at the floor.
    ///   - floor: The Lamport number up to which place records are part of the base.
    ///   - records: All records that are known, in any order, each once.
    package static func tree(
        base: [DriveIdentifier: Placement], floor: UInt64, records: some Sequence<DriveRecord>
    ) -> DriveTree {
        var tree = DriveTree()
        tree.placements = placements(base: base, floor: floor, records: records)
        collect(records, into: &tree)
        findHeads(&tree)
        findLive(&tree)
        nameItems(&tree)
        return tree
    }

    private static func isWithin(
        _ item: DriveIdentifier, _ folder: DriveIdentifier, _ places: [DriveIdentifier: Placement]
    ) -> Bool {
        var current = item
        // The count ends the walk even in a base that is no tree.
        for _ in 0...places.count {
            if current == folder { return true }
            guard let place = places[current] else { return false }
            current = place.parent
        }
        return true
    }

    private static func collect(_ records: some Sequence<DriveRecord>, into tree: inout DriveTree) {
        var names: [DriveIdentifier: (stamp: Stamp, name: String)] = [:]
        for record in records {
            switch record.body {
            case .place, .placed, .gone: break
            case .content(let content):
                // A version is described once; should somebody describe it twice, the first one counts.
                if let known = tree.versions[content.version] {
                    guard record.stamp < known.stamp else { break }
                    tree.versionsOfItem[known.content.item]?.removeAll { $0 == content.version }
                }
                tree.versions[content.version] = DriveTree.Version(content: content, stamp: record.stamp)
                tree.versionsOfItem[content.item, default: []].append(content.version)
            case .arrived(let version, _): tree.arrived.insert(version)
            case .trash(let items): for item in items { tree.trashNotes[item.item, default: .init()].add(item, record) }
            case .purge(let items): for item in items { tree.purgeNotes[item.item, default: .init()].add(item, record) }
            case .device(let name):
                if let known = names[record.stamp.device], known.stamp > record.stamp { continue }
                names[record.stamp.device] = (record.stamp, name)
            }
        }
        for (version, entry) in tree.versions where entry.content.isInline { tree.arrived.insert(version) }
        tree.deviceNames = names.mapValues(\.name)
    }

    private static func findHeads(_ tree: inout DriveTree) {
        for (item, versions) in tree.versionsOfItem {
            let replaced = Set(versions.flatMap { tree.versions[$0]?.content.parents ?? [] })
            let heads = versions.filter { !replaced.contains($0) }.sorted()
            tree.heads[item] = heads
            let stamps = Dictionary(uniqueKeysWithValues: versions.map { ($0, tree.versions[$0]?.stamp ?? .none) })
            let newest = { (left: DriveIdentifier, right: DriveIdentifier) in
                (stamps[left] ?? .none) < (stamps[right] ?? .none)
            }
            let arrived = heads.filter { tree.arrived.contains($0) }
            let candidates = arrived.isEmpty ? arrivedAncestors(of: heads, tree) : arrived
            guard let current = (candidates.isEmpty ? heads : candidates).max(by: newest) else { continue }
            tree.current[item] = current
            // Heads with the same content are one.
            var manifests: Set<ContentManifest> = []
            if let manifest = tree.versions[current]?.content.manifest { manifests.insert(manifest) }
            tree.conflicts[item] = arrived.sorted { newest($1, $0) }.filter { version in
                guard version != current, let manifest = tree.versions[version]?.content.manifest else { return false }
                return manifests.insert(manifest).inserted
            }
        }
    }

    private static func arrivedAncestors(of heads: [DriveIdentifier], _ tree: DriveTree) -> [DriveIdentifier] {
        var seen = Set(heads)
        var waiting = heads
        var found: [DriveIdentifier] = []
        while let version = waiting.popLast() {
            for parent in tree.versions[version]?.content.parents ?? [] where seen.insert(parent).inserted {
                guard tree.versions[parent] != nil else { continue }
                // Nearest: nothing behind an arrived version is looked at.
                if tree.arrived.contains(parent) { found.append(parent) } else { waiting.append(parent) }
            }
        }
        return found
    }

    private static func findLive(_ tree: inout DriveTree) {
        for (item, place) in tree.placements {
            guard let trash = tree.trashNotes[item], let stamp = trash.stamp, stamp > place.touched,
                trash.heads.isSuperset(of: tree.heads[item] ?? [])
            else { continue }
            tree.trashed.insert(item)
            guard let purge = tree.purgeNotes[item], let last = trash.record, purge.trashes.contains(last),
                purge.heads.isSuperset(of: tree.heads[item] ?? [])
            else { continue }
            tree.purged.insert(item)
        }
        for item in tree.placements.keys where !tree.trashed.contains(item) {
            var current = item
            while let place = tree.placements[current], tree.live.insert(current).inserted { current = place.parent }
        }
        tree.trashed.subtract(tree.live)
        tree.purged.subtract(tree.live)
    }

    private static func nameItems(_ tree: inout DriveTree) {
        var inside: [DriveIdentifier: [(DriveIdentifier, Placement)]] = [:]
        for item in tree.live {
            guard let place = tree.placements[item] else { continue }
            inside[tree.placements[place.parent] == nil ? .root : place.parent, default: []].append((item, place))
        }
        for (folder, items) in inside {
            // Strings are equal here when they are after NFC.
            var used: Set<String> = []
            var later: [(DriveIdentifier, Placement)] = []
            for (item, place) in items.sorted(by: { $0.1.stamp < $1.1.stamp }) {
                if used.insert(place.name).inserted {
                    tree.shownNames[item] = place.name
                } else {
                    later.append((item, place))
                }
            }
            for (item, place) in later {
                let device = tree.deviceNames[place.stamp.device] ?? String(place.stamp.device.description.prefix(6))
                var number = 1
                var name: String
                repeat {
                    name = ConflictName.name(
                        place.name, isFolder: place.isFolder, device: device, time: place.time, number: number)
                    number += 1
                } while !used.insert(name).inserted
                tree.shownNames[item] = name
            }
            tree.children[folder] = items.map(\.0).sorted()
            for (item, _) in items { tree.parents[item] = folder }
        }
    }
}

extension Stamp {
    fileprivate static let none = Stamp(lamport: 0, device: .root)
}
