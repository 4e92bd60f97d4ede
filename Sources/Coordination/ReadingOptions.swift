/// How an item is read (SEMANTICS 2.2).
package struct ReadingOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// Presenters are not asked to save; writers are waited for all the same.
    package static let withoutChanges = ReadingOptions(rawValue: 1)
    /// What the link leads to is read. Not allowed where a claim is only prepared (2.6).
    package static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    /// Only attributes are read: nobody waits, and nothing but the placeholder is fetched.
    package static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    /// A snapshot is taken, and the claim ends when it is there.
    package static let forUploading = ReadingOptions(rawValue: 8)

    private static let allNames: KeyValuePairs<String, ReadingOptions> = [
        "withoutChanges": .withoutChanges,
        "resolvesSymbolicLink": .resolvesSymbolicLink,
        "immediatelyAvailableMetadataOnly": .immediatelyAvailableMetadataOnly,
        "forUploading": .forUploading,
    ]

    /// The options of these names; nil when one is unknown.
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
