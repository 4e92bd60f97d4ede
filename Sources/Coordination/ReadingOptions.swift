/// How an item is read.
package struct ReadingOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// Does not ask presenters to save, but still waits for writers.
    package static let withoutChanges = ReadingOptions(rawValue: 1)
    /// Reads a symbolic link's target. Not allowed for a claim that only prepares.
    package static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    /// Reads only attributes: nothing but the placeholder is fetched. It still waits for writers.
    package static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    /// Takes a snapshot; the claim ends when it has been made.
    package static let forUploading = ReadingOptions(rawValue: 8)

    private static let allNames: KeyValuePairs<String, ReadingOptions> = [
        "withoutChanges": .withoutChanges,
        "resolvesSymbolicLink": .resolvesSymbolicLink,
        "immediatelyAvailableMetadataOnly": .immediatelyAvailableMetadataOnly,
        "forUploading": .forUploading,
    ]

    /// Creates options from their names; nil when one is unknown.
    package init?(names: [String]) {
        self = []
        for name in names {
            guard let option = Self.allNames.first(where: { $0.key == name })?.value else { return nil }
            insert(option)
        }
    }

    /// The names of the options, as in the interface `org.docent.Documents`.
    package var names: [String] { Self.allNames.filter { contains($0.value) }.map(\.key) }
}
