import CommandConsole
import Documents

/// The picker on a terminal that cannot move its cursor: a numbered list, and a question below it. Pure.
package struct LineText {
    private let state: PickerState
    private let drawing: PickerDrawing

    package init(_ state: PickerState) {
        self.state = state
        drawing = PickerDrawing(state)
    }

    /// Whether something is awaited, so that there is nothing to ask now.
    package var isWaiting: Bool {
        switch state.panel {
        case .list: !state.listing.isComplete && state.listing.problem == nil && state.listing.count < state.listRows
        case .confirm, .refuse: !state.isArmed
        case .work: true
        default: false
        }
    }

    /// Everything since the last line that was typed.
    package var text: String {
        let frame = drawing.frame()
        var lines: [String]
        if state.panel == .list {
            lines = frame.lines.prefix(max(0, state.headRows - 1)).map(Self.plain)
            lines +=
                state.listing.problem.map { ["  " + ForeignText.harmless($0.message), "  r: try again, s: sign in"] }
                ?? []
            lines += rows
        } else {
            lines = drawing.panelLines().map(Self.plain)
        }
        if let news = drawing.newsText { lines.append(ForeignText.cut(news, to: drawing.columns - 1)) }
        while lines.last == "" { lines.removeLast() }
        return lines.map { $0 + "\n" }.joined() + prompt
    }

    /// The rows of one page, with the numbers that choose them.
    private var rows: [String] {
        let listing = state.listing
        let first = listing.hasPlaceRow ? 1 : 0
        let range =
            max(first, listing.top)..<max(max(first, listing.top), min(listing.count, listing.top + state.listRows))
        var lines = range.map { position in row(position, number: position - first + 1) }
        if listing.count == first, listing.problem == nil {
            lines.append(listing.filter.text.isEmpty ? "  Nothing is here." : "  Nothing matches; / shows everything.")
        }
        lines += drawing.gapLines.map(Self.plain)
        let left = listing.count - range.upperBound
        if left > 0 { lines.append("  \(left) more: +") }
        return lines
    }

    private func row(_ position: Int, number: Int) -> String {
        let listing = state.listing
        let head = String(repeating: " ", count: max(0, 4 - String(number).count)) + "\(number)  "
        let room = drawing.columns - 1 - head.count
        if let shortcut = listing.shortcut(at: position) { return head + "[\(shortcut.title)]" }
        if let account = listing.account(at: position) {
            let status = account.status.isEmpty ? "" : " (\(account.status))"
            return head + ForeignText.cut(ForeignText.harmless(account.title), to: room - status.count) + status
        }
        guard let entry = listing.entry(at: position) else { return head }
        let isMarked = state.marks.contains { $0.location == listing.location(of: entry) }
        let facts = [
            entry.size.map(ByteCount.text),
            entry.isFolder || entry.isLink || entry.isDownloaded ? nil : "will be downloaded",
            entry.isChoosable || entry.isFolder ? nil : "another type",
        ].compactMap(\.self).joined(separator: ", ")
        let tail = (entry.isFolder ? "/" : "") + (facts.isEmpty ? "" : " (\(facts))")
        let width = max(8, room - tail.count - 2)
        let name =
            entry.location.map { ForeignText.cutBeginning(ForeignText.harmless($0.description), to: width) }
            ?? ForeignText.cut(ForeignText.harmless(entry.name), to: width)
        return head + (isMarked ? "* " : "") + name + tail
    }

    private var prompt: String {
        switch state.panel {
        case .list:
            (state.listing.hasPlaceRow ? "Number, . for this folder" : "Number")
                + ", /text, //text in all accounts, .. for the one above, ?, q: "
        case .name(let field, _): "Name [\(ForeignText.harmless(field.text))], - to go back: "
        case .search: "Words to search in all accounts, - to go back: "
        case .newFolder: "Name of the folder, empty to go back: "
        case .replace: "y to replace, n for another name: "
        case .confirm, .refuse, .problem:
            drawing.keyText.replacing("   ", with: ", ").replacing("Enter", with: "y") + ": "
        case .help: "Enter goes back: "
        case .work: ""
        }
    }

    private static func plain(_ line: PickerLine) -> String {
        line.spans.map(\.text).joined(separator: " ")
    }
}
