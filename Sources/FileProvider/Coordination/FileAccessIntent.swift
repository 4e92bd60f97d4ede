/// One of several accesses that a ``FileCoordinator`` requests together.
public struct FileAccessIntent: Hashable, Sendable {
    /// The item.
    public let item: ItemIdentifier
    let isWriting: Bool
    let options: [String]

    /// Reads an item.
    public static func reading(
        _ item: ItemIdentifier, options: FileCoordinator.ReadingOptions = []
    ) -> FileAccessIntent {
        FileAccessIntent(item: item, isWriting: false, options: options.names)
    }

    /// Writes an item.
    public static func writing(
        _ item: ItemIdentifier, options: FileCoordinator.WritingOptions = []
    ) -> FileAccessIntent {
        FileAccessIntent(item: item, isWriting: true, options: options.names)
    }
}
