/// One line of the screen: texts at their columns. Pure.
///
/// Each text has its own column, so that a terminal that measures a name differently moves nothing that follows it.
package struct PickerLine: Hashable, Sendable {
    /// How a text stands out. No colours: what a colour would say is also said in words.
    package enum Style: Sendable {
        case plain
        case bold
        case dim
        case reverse
    }

    package struct Span: Hashable, Sendable {
        /// From 0.
        package var column: Int
        package var text: String
        package var style: Style
    }

    package var spans: [Span] = []
    /// How many columns are one reversed block: the selected row.
    package var block = 0

    package init(_ text: String = "", style: Style = .plain) { add(text, at: 0, style: style) }

    package mutating func add(_ text: String, at column: Int, style: Style = .plain) {
        guard !text.isEmpty else { return }
        spans.append(Span(column: column, text: text, style: style))
    }
}

/// Everything on the screen. Pure.
package struct PickerFrame: Hashable, Sendable {
    package var lines: [PickerLine]
    /// Where the terminal's own cursor stands; nil if it is hidden.
    package var cursor: Cursor?

    package struct Cursor: Hashable, Sendable {
        package var row: Int
        package var column: Int
    }
}
