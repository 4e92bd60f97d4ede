extension FileCoordinator {
    /// How something is read (SEMANTICS 2.2; the raw values are Apple's).
    public struct ReadingOptions: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt

        /// Options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Does not ask presenters to save first; waits for writers nevertheless.
        public static let withoutChanges = ReadingOptions(rawValue: 1)
        /// Reads what a link leads to. Not for ``FileCoordinator/prepare(forReadingItemsAt:options:writingItemsAt:options:_:)``.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// Attributes alone: nothing is downloaded, and the access has no descriptor.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
        /// Reads a snapshot, that of a folder as a zip file; others may write as soon as it is made.
        public static let forUploading = ReadingOptions(rawValue: 8)

        /// As the interface calls them; nil for none.
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

    /// What a write is for, one at most (SEMANTICS 2.2; the raw values are Apple's).
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt

        /// Options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Deletes the item; its presenters let go of it first.
        public static let forDeleting = WritingOptions(rawValue: 1)
        /// Moves or renames the item; for a folder, what is in it stays still meanwhile.
        public static let forMoving = WritingOptions(rawValue: 2)
        /// Changes the newest content: presenters save first.
        public static let forMerging = WritingOptions(rawValue: 4)
        /// Replaces what is there, or makes what is not there yet.
        public static let forReplacing = WritingOptions(rawValue: 8)
        /// Changes attributes that do not depend on the content.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)

        /// As the interface calls them; nil for none.
        var names: [String]? {
            guard !isEmpty else { return nil }
            return [
                (Self.forDeleting, "forDeleting"), (.forMoving, "forMoving"), (.forMerging, "forMerging"),
                (.forReplacing, "forReplacing"), (.contentIndependentMetadataOnly, "contentIndependentMetadataOnly"),
            ].filter { contains($0.0) }.map(\.1)
        }
    }
}
