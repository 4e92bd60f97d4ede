extension FileCoordinator {
    /// How an item is read. The raw values are Apple's.
    public struct ReadingOptions: OptionSet, Sendable, Hashable {
        /// The bit mask.
        public let rawValue: UInt

        /// Creates options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Does not ask presenters to save first, but still waits for writers.
        public static let withoutChanges = ReadingOptions(rawValue: 1)
        /// Reads a symbolic link's target. Not for
        /// ``FileCoordinator/prepare(forReadingItemsAt:options:writingItemsAt:options:_:)``.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// Reads attributes only: nothing is downloaded, and the access has no descriptor.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
        /// Reads a snapshot; for a folder, a zip file. Others may write as soon as it has been made.
        public static let forUploading = ReadingOptions(rawValue: 8)

        /// The names on the wire; nil when there are none.
        var names: [String]? {
            guard !isEmpty else { return nil }
            return [
                (Self.withoutChanges, "withoutChanges"), (.resolvesSymbolicLink, "resolvesSymbolicLink"),
                (.immediatelyAvailableMetadataOnly, "immediatelyAvailableMetadataOnly"),
                (.forUploading, "forUploading"),
            ].filter { contains($0.0) }.map(\.1)
        }

        /// Whether the content is read through this claim.
        var readsContent: Bool { !contains(.immediatelyAvailableMetadataOnly) }
    }

    /// The purpose of a write; at most one option. The raw values are Apple's.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        /// The bit mask.
        public let rawValue: UInt

        /// Creates options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Deletes the item; its presenters relinquish it first.
        public static let forDeleting = WritingOptions(rawValue: 1)
        /// Moves or renames the item. If it is a folder, its contents do not change meanwhile.
        public static let forMoving = WritingOptions(rawValue: 2)
        /// Changes the newest content: presenters save first.
        public static let forMerging = WritingOptions(rawValue: 4)
        /// Replaces an item, or creates one that does not exist yet.
        public static let forReplacing = WritingOptions(rawValue: 8)
        /// Changes attributes that do not depend on the content.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)

        /// The names on the wire; nil when there are none.
        var names: [String]? {
            guard !isEmpty else { return nil }
            return [
                (Self.forDeleting, "forDeleting"), (.forMoving, "forMoving"), (.forMerging, "forMerging"),
                (.forReplacing, "forReplacing"), (.contentIndependentMetadataOnly, "contentIndependentMetadataOnly"),
            ].filter { contains($0.0) }.map(\.1)
        }
    }
}
