import CommandConsole
import Documents

/// Draws the picker. Pure: the state and its size determine every line.
package struct PickerDrawing {
    let state: PickerState
    let columns: Int
    var size: TerminalSize { state.size }
    /// The columns of the list; the preview is to its right.
    let listColumns: Int

    package init(_ state: PickerState) {
        self.state = state
        columns = state.size.columns
        // The same with and without a preview, so that the columns stay where they are.
        let hasPane = state.showsPreview && state.hasPreviewRoom && !state.listing.isOfAccounts
        listColumns = hasPane ? columns * 3 / 5 : columns
    }

    /// The screen, exactly as many lines as the terminal has rows.
    package func frame() -> PickerFrame {
        var lines = head()
        let room = size.rows - lines.count - state.footRows
        var cursor: PickerFrame.Cursor?
        if state.panel == .list {
            lines += list(rows: room)
            if let column = filterColumn, size.rows >= 8 {
                cursor = PickerFrame.Cursor(row: state.headRows - 1, column: min(columns - 1, column))
            }
        } else {
            var panel = panelLines()
            if let field = panelField, let row = panel.firstIndex(where: { $0 == fieldLine(field) }), row < room {
                cursor = PickerFrame.Cursor(
                    row: lines.count + row,
                    column: min(columns - 1, 2 + DisplayWidth.of(shownBeforeCursor(field))))
            }
            if panel.count > room { panel = Array(panel.prefix(room)) }
            lines += panel
        }
        while lines.count < size.rows - state.footRows { lines.append(PickerLine()) }
        lines = Array(lines.prefix(size.rows - state.footRows)) + foot()
        return PickerFrame(lines: lines, cursor: cursor)
    }

    // MARK: Above the list

    private func head() -> [PickerLine] {
        guard size.rows >= 8 else { return [PickerLine(ForeignText.cutBeginning(place, to: columns - 1))] }
        var lines = [PickerLine(ForeignText.cut(state.task.title, to: columns - 1), style: .bold)]
        lines += asker()
        lines.append(placeLine())
        var filter = PickerLine()
        filter.add("> ", at: 0)
        filter.add(ForeignText.cutBeginning(shownFilter, to: columns - 4), at: 2)
        lines.append(filter)
        return lines
    }

    /// Who asks, and the program's own words, which are between quotation marks and never at the beginning of a line.
    private func asker() -> [PickerLine] {
        guard let asker = state.task.asker else { return [] }
        let process = asker.process.map { ", process \($0)" } ?? ""
        let after =
            " (\(ForeignText.harmless(asker.strength))\(process)) asks" + (asker.mayWrite ? " to change it" : "")
        let name = ForeignText.cut(ForeignText.harmless(asker.client), to: columns - 1 - DisplayWidth.of(after))
        var lines = [PickerLine(ForeignText.cut(name + after, to: columns - 1))]
        if let reason = asker.reason {
            lines.append(PickerLine("  It says: " + quoted(reason, to: columns - 12)))
        }
        if state.otherRequests > 0 {
            lines.append(PickerLine(ForeignText.cut(Self.others(state.otherRequests), to: columns - 1), style: .dim))
        }
        return Array(lines.prefix(state.askerRows))
    }

    /// However many there are, they are one line.
    package static func others(_ count: Int) -> String {
        count == 1 ? "One other request waits." : "\(count) other requests wait."
    }

    /// Foreign words between quotation marks that they cannot close.
    func quoted(_ text: String, to columns: Int) -> String {
        let safe = ForeignText.harmless(String(text.unicodeScalars.prefix(400))).replacing("\"", with: "\\x22")
        return "\"" + ForeignText.cut(safe, to: columns - 2) + "\""
    }

    private func placeLine() -> PickerLine {
        let count = state.listing.filter.text.isEmpty ? "\(state.listing.total)" : "\(listed) of \(state.listing.total)"
        let right = count + (state.isBusy && state.panel == .list ? "…" : "")
        var line = PickerLine()
        line.add(ForeignText.cutBeginning(place, to: columns - right.count - 3), at: 0)
        line.add(right, at: columns - 1 - right.count, style: .dim)
        return line
    }

    private var listed: Int { state.listing.count - (state.listing.hasPlaceRow ? 1 : 0) }

    private var place: String {
        switch state.listing.place {
        case .accounts: "Accounts"
        case .folder(let folder): ForeignText.harmless(folder.description)
        case .shortcut(let shortcut): shortcut.title
        case .search(let text): "Search: " + ForeignText.harmless(text)
        }
    }

    private var shownFilter: String { ForeignText.harmless(state.listing.filter.text) }

    private var filterColumn: Int? {
        2
            + DisplayWidth.of(
                ForeignText.cutBeginning(ForeignText.harmless(state.listing.filter.textBeforeCursor), to: columns - 4))
    }

    // MARK: The list

    private func list(rows: Int) -> [PickerLine] {
        let listing = state.listing
        var lines: [PickerLine] = []
        if let error = listing.problem { lines += problemLines(error) }
        for position in listing.top..<max(listing.top, min(listing.count, listing.top + rows - lines.count)) {
            lines.append(row(at: position))
        }
        if listing.count == 0, listing.problem == nil {
            lines.append(PickerLine(emptyText, style: .dim))
        }
        lines += gapLines.prefix(max(0, rows - lines.count))
        return withPreview(lines, rows: rows)
    }

    private var emptyText: String {
        if !state.listing.isComplete { return "  Loading…" }
        if !state.listing.filter.text.isEmpty { return "  Nothing matches. Esc shows everything." }
        switch state.listing.place {
        case .accounts: return "  No provider is enabled: docent provider enable"
        case .folder: return "  This folder is empty."
        case .shortcut: return "  Nothing is here."
        case .search: return "  Nothing was found."
        }
    }

    /// What a search did not cover, below what it found.
    var gapLines: [PickerLine] {
        let listing = state.listing
        guard listing.isComplete else { return [] }
        let more = listing.isCut ? ["There is more: add words."] : []
        return (more + listing.gaps.map(Self.text)).flatMap { text in
            ForeignText.wrapped(text, to: listColumns - 4).prefix(2).map { PickerLine("  " + $0, style: .dim) }
        }
    }

    static func text(_ gap: PickerGap) -> String {
        "Not everything of \(ForeignText.harmless(gap.account)) was searched: \(ForeignText.harmless(gap.sentence))"
    }

    /// A failure of the list, above what is known of it.
    private func problemLines(_ error: DocumentsError) -> [PickerLine] {
        let way =
            error.code == .notAuthenticated
            ? "^S signs in, ^R tries again."
            : state.listing.place.isFolder
                ? "^R tries again, Left shows the folder above." : "^R tries again, Left shows the accounts."
        return ForeignText.wrapped(ForeignText.harmless(error.message), to: listColumns - 4).prefix(3).map {
            PickerLine("  " + $0)
        } + [PickerLine("  " + ForeignText.cut(way, to: listColumns - 3), style: .bold)]
    }

    private func row(at position: Int) -> PickerLine {
        var line = PickerLine()
        if position == state.listing.cursor { line.block = listColumns - 1 }
        line.add(position == state.listing.cursor ? ">" : "", at: 0)
        let room = listColumns - 1
        if state.listing.hasPlaceRow, position == 0 {
            line.add(ForeignText.cut("[\(placeText)]", to: room - 2), at: 2, style: .bold)
        } else if let shortcut = state.listing.shortcut(at: position) {
            line.add(ForeignText.cut("[\(shortcut.title)]", to: room - 2), at: 2, style: .bold)
        } else if let account = state.listing.account(at: position) {
            let status = account.status
            let width = min(status.count, room / 2)
            line.add(ForeignText.cut(status, to: width), at: room - width, style: .dim)
            line.add(
                ForeignText.cut(ForeignText.harmless(account.title), to: room - 3 - (width > 0 ? width + 1 : 0)), at: 2)
        } else if let entry = state.listing.entry(at: position) {
            add(entry, to: &line, room: room)
        }
        return line
    }

    private var placeText: String {
        guard let destination = state.task.destination else { return "Choose this folder" }
        return "Put \(ForeignText.harmless(destination.name)) here"
    }

    /// Size and date stand to the left of the name, so that a name that is written from right to left ends its line.
    private func add(_ entry: PickerEntry, to line: inout PickerLine, room: Int) {
        let location = state.listing.location(of: entry)
        if state.marks.contains(where: { $0.location == location }) { line.add("*", at: 1) }
        var column = 2
        if room >= 36 {
            let size = entry.size.map(ByteCount.text) ?? ""
            line.add(size, at: column + max(0, 9 - size.count))
            line.add(mark(of: entry), at: column + 10, style: .dim)
            column += 13
        }
        if room >= 64 {
            line.add(String((Timestamp.text(entry.modificationDate) ?? "").prefix(10)), at: column)
            column += 12
        }
        let isDimmed = !entry.isChoosable && !entry.isFolder || state.task.choosesOnlyFolders && !entry.isFolder
        let tail = entry.isFolder ? "/" : entry.isLink ? "@" : ""
        let width = room - column - tail.count - (isDimmed ? 2 : 0)
        // In a list of several folders the place says more than the name, and ends with it.
        let name =
            entry.location.map { ForeignText.cutBeginning(ForeignText.harmless($0.description), to: width) }
            ?? ForeignText.cut(ForeignText.harmless(entry.name), to: width)
        line.add(isDimmed ? "(\(name))" : name + tail, at: column, style: isDimmed ? .dim : .plain)
    }

    /// `↓`: it will be downloaded; `~`: the content here is not the newest. In ASCII, for every terminal.
    private func mark(of entry: PickerEntry) -> String {
        entry.isFolder || entry.isLink ? "" : !entry.isDownloaded ? "v" : entry.isStale ? "~" : ""
    }

    // MARK: The preview

    private func withPreview(_ lines: [PickerLine], rows: Int) -> [PickerLine] {
        guard listColumns < columns else { return lines }
        let preview = state.preview ?? []
        let width = columns - listColumns - 3
        let shown = preview.prefix(rows).map { ForeignText.cut(ForeignText.harmless($0), to: width) }
        return (0..<rows).map { row in
            var line = row < lines.count ? lines[row] : PickerLine()
            line.add("|", at: listColumns, style: .dim)
            if row < shown.count { line.add(shown[row], at: listColumns + 2, style: .dim) }
            return line
        }
    }
}
