/// How an item is written; at most one option is set.
package struct WritingOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// Deletes the item, with everything in it.
    package static let forDeleting = WritingOptions(rawValue: 1)
    /// Moves the item, with everything in it.
    package static let forMoving = WritingOptions(rawValue: 2)
    /// Presenters save first, so that the writer merges with the newest state.
    package static let forMerging = WritingOptions(rawValue: 4)
    /// Replaces the item at a place, if there is one. Not allowed for a claim that only prepares.
    package static let forReplacing = WritingOptions(rawValue: 8)
    /// Changes only metadata that does not depend on the content; no content is fetched.
    package static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)

    /// Removes only the local copy; the item does not change. Presenters are asked to accommodate that. Only the host
    /// uses it; clients cannot ask for it.
    package static let forEvicting = WritingOptions(rawValue: 1 << 16)

    private static let allNames: KeyValuePairs<String, WritingOptions> = [
        "forDeleting": .forDeleting,
        "forMoving": .forMoving,
        "forMerging": .forMerging,
        "forReplacing": .forReplacing,
        "contentIndependentMetadataOnly": .contentIndependentMetadataOnly,
    ]

    /// Creates options from their names; nil when one is unknown or there are several.
    package init?(names: [String]) {
        self = []
        for name in names {
            guard let option = Self.allNames.first(where: { $0.key == name })?.value else { return nil }
            insert(option)
        }
        guard isValid else { return nil }
    }

    /// The name of the option, as in the interface `org.docent.Documents`; empty when none is set.
    package var names: [String] {
        Self.allNames.filter { contains($0.value) }.map(\.key) + (contains(.forEvicting) ? ["forEvicting"] : [])
    }

    /// Whether at most one option is set.
    package var isValid: Bool { rawValue.nonzeroBitCount <= 1 }

    /// Whether the write concerns everything inside an ordinary folder.
    package var concernsContents: Bool { !isDisjoint(with: [.forDeleting, .forMoving, .forReplacing]) }

    /// Whether the existing item is removed, so that presenters are asked to accommodate that.
    package var removes: Bool { !isDisjoint(with: [.forDeleting, .forReplacing]) }
}
