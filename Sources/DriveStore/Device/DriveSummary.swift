/// A device of the drive, as this device knows it.
package struct DriveDeviceSummary: Hashable, Sendable {
    package let identifier: DriveIdentifier
    /// Its name for people.
    package let name: String
    /// When it joined, by its own clock in milliseconds since 1970.
    package let joined: Int64
    /// Whether it is this one.
    package let isThis: Bool
    /// How far its log was read here. On two machines, equal counts must have equal chains.
    package let position: LogPosition
    /// When it was removed, by the clock of the machine that did it; nil if it was not.
    package let removed: Int64?
    /// Whether its head is closed: somebody has removed it, or began to.
    package let isClosed: Bool
    /// What is wrong with its objects; nil if nothing is.
    package let problem: DriveError?
}

/// What a drive contains, as this device knows it.
package struct DriveSummary: Hashable, Sendable {
    package var documents = 0
    package var folders = 0
    package var trashed = 0
    package var conflicts = 0
    /// Documents whose content another device is still sending.
    package var unarrived = 0
    /// The sizes of all current versions.
    package var bytes = 0
    /// Records that are on this device alone.
    package var unsent = 0
    package var devices = 0
}

extension DriveDevice {
    /// The devices, in the order in which they joined.
    package var deviceSummaries: [DriveDeviceSummary] {
        state.members.members.map { member in
            let head = StoreNames.head(member.identifier).name
            return DriveDeviceSummary(
                identifier: member.identifier, name: member.name, joined: member.joined,
                isThis: member.identifier == state.device,
                position: state.positions[member.identifier] ?? .start,
                removed: state.members.removal(of: member.identifier)?.time,
                isClosed: state.members[member.identifier] != nil && !isPresent(member.identifier),
                problem: alarms.first { $0.subject == head }?.error)
        }
    }

    /// What the drive contains.
    package var summary: DriveSummary {
        let tree = tree
        var summary = DriveSummary()
        for item in tree.live {
            guard let place = tree.placements[item], !place.isFolder else {
                summary.folders += 1
                continue
            }
            summary.documents += 1
            summary.conflicts += tree.conflicts[item]?.count ?? 0
            guard let version = tree.current[item], let content = tree.versions[version]?.content else { continue }
            summary.bytes += content.size
            if !tree.arrived.contains(version) { summary.unarrived += 1 }
        }
        summary.trashed = tree.trashed.count
        summary.unsent = state.journal.count
        summary.devices = state.members.present.count
        return summary
    }
}
