/// Names of objects in the store.
package enum StoreNames {
    /// What says that a drive is here, not sealed.
    package static let format = StoreKey("format.json")
    /// The list of members.
    package static let members = StoreKey(register: "members")
    /// The folder of the heads.
    static let heads = "devices/"

    /// Whether an object is one that a creation writes before the drive exists.
    package static func isLeftover(_ name: String) -> Bool { name.hasPrefix("probe/") || name.hasPrefix("epochs/") }

    static func head(_ device: DriveIdentifier) -> StoreKey { StoreKey(register: heads + device.description) }

    static func device(ofHead name: String) -> DriveIdentifier? {
        name.hasPrefix(heads) ? DriveIdentifier(hexadecimal: name.dropFirst(heads.count)) : nil
    }

    static func segment(_ device: DriveIdentifier, _ end: LogPosition) -> StoreKey {
        StoreKey("log/\(device)/\(end.count)-\(Hexadecimal.text(end.chain.prefix(8)))")
    }

    package static func pack(_ pack: DriveIdentifier) -> StoreKey { StoreKey("packs/\(pack)") }
    /// The folder of packs.
    static let packs = "packs/"
    /// The folder of lists of packs that nobody refers to.
    static let unusedLists = "unused/"
    static func unused(_ list: DriveIdentifier) -> StoreKey { StoreKey("unused/\(list)") }
    static func list(ofUnused name: String) -> DriveIdentifier? {
        name.hasPrefix(unusedLists) ? DriveIdentifier(hexadecimal: name.dropFirst(unusedLists.count)) : nil
    }
    static func pack(ofName name: String) -> DriveIdentifier? {
        name.hasPrefix(packs) ? DriveIdentifier(hexadecimal: name.dropFirst(packs.count)) : nil
    }

    static func epoch(_ epoch: DriveIdentifier) -> StoreKey { StoreKey("epochs/\(epoch)") }
    static func checkpoint(_ checkpoint: DriveIdentifier) -> StoreKey { StoreKey("checkpoints/\(checkpoint)") }
    static func checkpointPart(_ checkpoint: DriveIdentifier, _ number: Int) -> StoreKey {
        StoreKey("checkpoints/\(checkpoint).\(number)")
    }
}
