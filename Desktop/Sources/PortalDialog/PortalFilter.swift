import PickerDialog

/// A filter as the portal has it: `(sa(us))`. Pure.
struct PortalFilter: Equatable, Sendable {
    struct Pattern: Equatable, Sendable {
        /// 0 for a pattern of names, 1 for a MIME type.
        var kind: UInt32
        var text: String
    }

    var name: String
    var patterns: [Pattern]

    init?(_ value: PortalValue) {
        guard let parts = value.list, parts.count == 2, let name = parts[0].text, let patterns = parts[1].list else {
            return nil
        }
        self.name = name
        self.patterns = patterns.compactMap { pattern in
            guard let parts = pattern.list, parts.count == 2, let kind = parts[0].number, let text = parts[1].text
            else { return nil }
            return Pattern(kind: kind, text: text)
        }
    }

    /// The filters of a request. One that was sent as the current one alone is the only one.
    ///
    /// A filter with more patterns than the window takes would hide what the program wants: without it, everything can
    /// be chosen.
    static func all(_ options: [String: PortalValue], mostFilters: Int, mostPatterns: Int) -> [PortalFilter] {
        let given = options["filters"]?.list ?? options["current_filter"].map { [$0] } ?? []
        let filters = given.compactMap(PortalFilter.init)
        let patterns = filters.reduce(0) { $0 + $1.patterns.count }
        let isModest = filters.allSatisfy { filter in
            filter.name.utf8.count <= 4096 && filter.patterns.allSatisfy { $0.text.utf8.count <= 255 }
        }
        return filters.count <= mostFilters && patterns <= mostPatterns && isModest ? filters : []
    }

    /// What the window applies.
    var shown: FileFilter {
        FileFilter(
            name: name, globs: patterns.filter { $0.kind == 0 }.map(\.text),
            types: patterns.filter { $0.kind == 1 }.map(\.text))
    }
}
