extension FileCoordinator {
    /// How an item is read (2.2). The numbers are Apple's.
    public struct ReadingOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// A set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Nobody is asked to save first; writers are waited for nonetheless.
        public static let withoutChanges = ReadingOptions(rawValue: 1)
        /// What a link points to is read.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// Only the description is read: nothing is fetched and nobody is waited for.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)

        var names: [String] {
            let all: [(ReadingOptions, String)] = [
                (.withoutChanges, "withoutChanges"), (.resolvesSymbolicLink, "resolvesSymbolicLink"),
                (.immediatelyAvailableMetadataOnly, "immediatelyAvailableMetadataOnly"),
            ]
            return all.filter { contains($0.0) }.map(\.1)
        }
    }

    /// How an item is written (2.2), at most one of them. The numbers are Apple's.
    public struct WritingOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// A set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The item is deleted: those who show it are told before.
        public static let forDeleting = WritingOptions(rawValue: 1)
        /// The item is moved: claims on what is in a folder are waited for.
        public static let forMoving = WritingOptions(rawValue: 2)
        /// Those who show the item save first, and the writer builds on that.
        public static let forMerging = WritingOptions(rawValue: 4)
        /// Something else takes the item's place.
        public static let forReplacing = WritingOptions(rawValue: 8)
        /// Only the description changes, and not because of the content.
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
