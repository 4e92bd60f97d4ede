/// How far a device knew the drive at some time, so that what changed since can be told, also after a restart.
package struct DriveAnchor: Hashable, Sendable {
    let floor: UInt64
    let counts: [DriveIdentifier: Int]

    /// The text that stands for it.
    package var text: String {
        Hexadecimal.text(
            CBOR.array([
                .unsigned(floor),
                .array(
                    counts.sorted { $0.key < $1.key }.map { .array([.identifier($0.key), .unsigned($0.value)]) }),
            ]).encoded)
    }

    init(floor: UInt64, counts: [DriveIdentifier: Int]) {
        self.floor = floor
        self.counts = counts
    }

    /// Nil for a text that stands for none.
    package init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text), let parts = try? CBORDecoder.decode(bytes).asArray(count: 2),
            let floor = try? parts[0].asUnsigned(), let list = try? parts[1].asArray()
        else { return nil }
        var counts: [DriveIdentifier: Int] = [:]
        for value in list {
            guard let pair = try? value.asArray(count: 2), let device = try? pair[0].asIdentifier(),
                let count = try? pair[1].asCount()
            else { return nil }
            counts[device] = count
        }
        self.init(floor: floor, counts: counts)
    }
}

extension DriveDevice {
    /// How far this device knows the drive. Records that are on this device alone do not count.
    package var anchor: DriveAnchor { DriveAnchor(floor: state.floor, counts: state.positions.mapValues(\.count)) }

    /// The tree as it was at an anchor; nil if that is not known any more.
    package func tree(at anchor: DriveAnchor) -> DriveTree? {
        guard anchor.floor == state.floor,
            anchor.counts.allSatisfy({ device, count in count <= state.positions[device]?.count ?? 0 })
        else { return nil }
        return TreeFold.tree(
            base: state.base, floor: state.floor,
            records: state.records.values.lazy.filter { known in
                known.origin.map { $0.index < anchor.counts[$0.device] ?? 0 } ?? false
            }.map(\.record))
    }
}

extension DriveDevice {
    /// The tree and the anchor of the same moment.
    package var treeAndAnchor: (tree: DriveTree, anchor: DriveAnchor) { (tree, anchor) }
}
