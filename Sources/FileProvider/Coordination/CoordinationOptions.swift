extension FileCoordinator {
    /// How an item is read. The values are Apple's.
    public struct ReadingOptions: OptionSet, Hashable, Sendable {
        /// The options as a bit mask.
        public let rawValue: Int

        /// Creates a set from a bit mask.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Reads without asking others to save first; still waits for writers.
        public static let withoutChanges = ReadingOptions(rawValue: 1)
        /// Reads the target of a symbolic link.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// Reads only the metadata: fetches nothing and waits for no other claim.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)

        var names: [String] {
            let all: [(ReadingOptions, String)] = [
                (.withoutChanges, "withoutChanges"), (.resolvesSymbolicLink, "resolvesSymbolicLink"),
                (.immediatelyAvailableMetadataOnly, "immediatelyAvailableMetadataOnly"),
            ]
            return all.filter { contains($0.0) }.map(\.1)
        }
    }

    /// How an item is written; at most one of them. The values are Apple's.
    public struct WritingOptions: OptionSet, Hashable, Sendable {
        /// The options as a bit mask.
        public let rawValue: Int

        /// Creates a set from a bit mask.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The item is deleted. Its presenters are informed before.
        public static let forDeleting = WritingOptions(rawValue: 1)
        /// The item is moved. Claims on a folder's contents are waited for.
        public static let forMoving = WritingOptions(rawValue: 2)
        /// The item's presenters save first, and the writer builds on that.
        public static let forMerging = WritingOptions(rawValue: 4)
        /// Another item takes the item's place.
        public static let forReplacing = WritingOptions(rawValue: 8)
        /// Only the metadata changes, independently of the content.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)

        var names: [String] {
            let all: [(WritingOptions, String)] = [
                (.forDeleting, "forDeleting"), (.forMoving, "forMoving"), (.forMerging, "forMerging"),
                (.forReplacing, "forReplacing"), (.contentIndependentMetadataOnly, "contentIndependentMetadataOnly"),
            ]
            return all.filter { contains($0.0) }.map(\.1)
        }
    }
}
