/// What all records together say: the same on every device that knows the same records.
package struct DriveTree: Sendable {
    /// A version with its place in the order.
    package struct Version: Hashable, Sendable {
        package let content: ContentVersion
        package let stamp: Stamp
    }

    /// What all trash or purge records say of one item.
    struct Notes: Hashable, Sendable {
        var stamp: Stamp?
        var record: DriveIdentifier?
        var heads: Set<DriveIdentifier> = []
        var trashes: Set<DriveIdentifier> = []

        mutating func add(_ item: RecordBody.TrashedItem, _ from: DriveRecord) {
            heads.formUnion(item.heads)
            if let trash = item.trash { trashes.insert(trash) }
            if let stamp, stamp > from.stamp { return }
            stamp = from.stamp
            record = from.identifier
        }
    }

    /// Where each item is, the trashed ones too.
    package internal(set) var placements: [DriveIdentifier: Placement] = [:]
    /// All versions.
    package internal(set) var versions: [DriveIdentifier: Version] = [:]
    /// The versions of each item.
    package internal(set) var versionsOfItem: [DriveIdentifier: [DriveIdentifier]] = [:]
    /// Each item's versions that no other replaces.
    package internal(set) var heads: [DriveIdentifier: [DriveIdentifier]] = [:]
    /// The version that each document shows.
    package internal(set) var current: [DriveIdentifier: DriveIdentifier] = [:]
    /// The other arrived heads of each item.
    package internal(set) var conflicts: [DriveIdentifier: [DriveIdentifier]] = [:]
    /// The versions whose content is in the store.
    package internal(set) var arrived: Set<DriveIdentifier> = []
    /// The items that are shown.
    package internal(set) var live: Set<DriveIdentifier> = []
    /// The items in the trash.
    package internal(set) var trashed: Set<DriveIdentifier> = []
    /// The items of the trash that are gone for good.
    package internal(set) var purged: Set<DriveIdentifier> = []
    /// The name that each live item is shown with.
    package internal(set) var shownNames: [DriveIdentifier: String] = [:]
    /// The folder that each live item is shown in.
    package internal(set) var parents: [DriveIdentifier: DriveIdentifier] = [:]
    /// The live items of each folder.
    package internal(set) var children: [DriveIdentifier: [DriveIdentifier]] = [:]
    /// The names of devices.
    package internal(set) var deviceNames: [DriveIdentifier: String] = [:]
    var trashNotes: [DriveIdentifier: Notes] = [:]
    var purgeNotes: [DriveIdentifier: Notes] = [:]

    /// The live items of a folder at any depth, itself included.
    package func subtree(of item: DriveIdentifier) -> [DriveIdentifier] {
        var found: [DriveIdentifier] = []
        var waiting = [item]
        while let next = waiting.popLast() {
            found.append(next)
            waiting += children[next] ?? []
        }
        return found
    }
}
