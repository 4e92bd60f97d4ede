/// How an item is written; at most one of them is set (SEMANTICS 2.2).
package struct WritingOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// It is deleted, with everything in it.
    package static let forDeleting = WritingOptions(rawValue: 1)
    /// It is moved, with everything in it.
    package static let forMoving = WritingOptions(rawValue: 2)
    /// Presenters save first, so that the writer merges with the newest state.
    package static let forMerging = WritingOptions(rawValue: 4)
    /// What is at its place, if anything, makes way for another item. Not allowed where a claim is only prepared (2.6).
    package static let forReplacing = WritingOptions(rawValue: 8)
    /// Only metadata that does not depend on the content is changed; no content is fetched for it.
    package static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)

    /// Only the local copy is removed, and the item stays as it is: presenters are asked to accommodate that. The
    /// host's own, which no client can ask for.
    package static let forEvicting = WritingOptions(rawValue: 1 << 16)

    private static let allNames: KeyValuePairs<String, WritingOptions> = [
        "forDeleting": .forDeleting,
        "forMoving": .forMoving,
        "forMerging": .forMerging,
        "forReplacing": .forReplacing,
        "contentIndependentMetadataOnly": .contentIndependentMetadataOnly,
    ]

    /// The options of these names; nil when one is unknown or there are several.
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

    /// Whether at most one is set.
    package var isValid: Bool { rawValue.nonzeroBitCount <= 1 }

    /// Whether everything inside a plain directory is concerned too (2.3).
    package var concernsContents: Bool { !isDisjoint(with: [.forDeleting, .forMoving, .forReplacing]) }

    /// Whether what is there makes way, so that presenters are asked to accommodate that.
    package var removes: Bool { !isDisjoint(with: [.forDeleting, .forReplacing]) }
}
