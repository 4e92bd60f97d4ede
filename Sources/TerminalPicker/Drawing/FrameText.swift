/// The bytes that turn what a terminal shows into a frame. Pure.
///
/// Only lines that differ are written, each to its own place, with sequences that every terminal has since the VT100.
package struct FrameText: Sendable {
    private var shown: [PickerLine] = []

    package init() {}

    /// Writes every line next time: the terminal shows something else.
    package mutating func forget() { shown = [] }

    /// The bytes for a frame.
    package mutating func text(_ frame: PickerFrame, columns: Int) -> String {
        var text = ""
        for (row, line) in frame.lines.enumerated() where row >= shown.count || shown[row] != line {
            text += Self.place(row, 0) + Self.style(.plain) + "\u{1B}[K"
            if line.block > 0 {
                text += Self.style(.reverse) + String(repeating: " ", count: min(columns, line.block))
            }
            for span in line.spans {
                let style = span.column < line.block ? .reverse : span.style
                text += Self.place(row, span.column) + Self.style(style) + span.text
            }
            text += Self.style(.plain)
        }
        shown = frame.lines
        if let cursor = frame.cursor {
            text += Self.place(cursor.row, cursor.column) + "\u{1B}[?25h"
        } else {
            text += "\u{1B}[?25l"
        }
        return text
    }

    private static func place(_ row: Int, _ column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

    private static func style(_ style: PickerLine.Style) -> String {
        switch style {
        case .plain: "\u{1B}[0m"
        case .bold: "\u{1B}[0;1m"
        case .dim: "\u{1B}[0;2m"
        case .reverse: "\u{1B}[0;7m"
        }
    }
}
