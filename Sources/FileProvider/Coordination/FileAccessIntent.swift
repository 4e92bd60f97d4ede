/// One of the accesses that a ``FileCoordinator`` asks for together.
public struct FileAccessIntent: Hashable, Sendable {
    /// The item.
    public let item: ItemIdentifier
    let isWriting: Bool
    let options: [String]

    /// The item is read.
    public static func reading(
        _ item: ItemIdentifier, options: FileCoordinator.ReadingOptions = []
    ) -> FileAccessIntent {
        FileAccessIntent(item: item, isWriting: false, options: options.names)
    }

    /// The item is written.
    public static func writing(
        _ item: ItemIdentifier, options: FileCoordinator.WritingOptions = []
    ) -> FileAccessIntent {
        FileAccessIntent(item: item, isWriting: true, options: options.names)
    }
}
