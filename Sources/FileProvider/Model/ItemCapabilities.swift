/// What can be done with an item.
public struct ItemCapabilities: OptionSet, Hashable, Sendable {
    /// The capabilities as a bit mask.
    public let rawValue: Int

    /// Creates a set from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The content can be read, or the folder listed.
    public static let reading = ItemCapabilities(rawValue: 1)
    /// The content can be replaced.
    public static let writing = ItemCapabilities(rawValue: 2)
    /// The name can be changed.
    public static let renaming = ItemCapabilities(rawValue: 8)
    /// The item can be deleted.
    public static let deleting = ItemCapabilities(rawValue: 32)
    /// Items can be created in the folder.
    public static let addingSubItems = ItemCapabilities(rawValue: 256)

    /// The names of the members in the interface.
    var names: [String] {
        let all: [(ItemCapabilities, String)] = [
            (.reading, "read"), (.writing, "write"), (.renaming, "rename"), (.deleting, "delete"),
            (.addingSubItems, "addItems"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
