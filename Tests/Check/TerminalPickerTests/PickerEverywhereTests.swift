import CommandConsole
import Documents
import Testing

@testable import TerminalPicker

/// Searching in all accounts, what was used last, and what is marked.
@Suite struct PickerEverywhereTests {
    private static let found = [
        PickerEntry(
            name: "minutes.txt", contentType: "public.plain-text", size: 12_500, isDownloaded: false,
            location: DocumentLocation(provider: "org.docent.WebDAV", domain: "work", path: "/2026/minutes.txt")),
        PickerEntry(
            name: "Minutes", contentType: "public.folder", isFolder: true,
            location: DocumentLocation(provider: "org.docent.LocalFolder", path: "/Minutes")),
        PickerEntry(
            name: "photo.png", isChoosable: false,
            location: DocumentLocation(provider: "org.docent.LocalFolder", path: "/photo.png")),
    ]

    private static func accounts(
        _ task: PickerTask = PickerSamples.open, _ shortcuts: [PickerShortcut] = PickerShortcut.allCases,
        size: TerminalSize = TerminalSize(columns: 60, rows: 14)
    ) -> PickerState {
        var state = PickerState(task: task, size: size)
        _ = state.handle(.began)
        _ = state.handle(.accounts(PickerSamples.accounts, shortcuts: shortcuts, serial: state.listing.serial))
        return state
    }

    /// A picker that shows what a search has found.
    private static func searched(
        _ task: PickerTask = PickerSamples.open, gaps: [PickerGap] = [], isCut: Bool = false,
        _ entries: [PickerEntry] = found, size: TerminalSize = TerminalSize(columns: 100, rows: 24)
    ) -> PickerState {
        var state = PickerSamples.shown(task, size: size)
        state.type("/")
        state.type("minutes")
        state.type(.enter)
        _ = state.handle(.page(entries, remembered: nil, isLast: false, serial: state.listing.serial))
        _ = state.handle(.searched(gaps: gaps, isCut: isCut, serial: state.listing.serial))
        return state
    }

    @Test("Recents and Starred are above the accounts; the cursor begins on the first account, as without them")
    func shortcuts() {
        var state = Self.accounts()
        #expect(
            Array(PickerSamples.text(state).prefix(7)) == [
                "Choose a document", "Accounts                                                  6", ">",
                "  [Recents]", "  [Starred]", "> Local Folder",
                "  WebDAV: Work                                   signed out",
            ])
        #expect(state.listing.account == PickerSamples.accounts[0] && state.listing.shortcut == nil)
        #expect(state.type(.home, .enter) == [.listShortcut(.recents, serial: state.listing.serial)])
        #expect(PickerSamples.text(state)[1].hasPrefix("Recents"))
        _ = state.handle(.page(Self.found, remembered: nil, isLast: true, serial: state.listing.serial))
        #expect(PickerSamples.text(state)[3].contains("org.docent.WebDAV@work:/2026/minutes.txt"))
        #expect(state.type(.left) == [.loadAccounts(serial: state.listing.serial)])
        _ = state.handle(.accounts(PickerSamples.accounts, shortcuts: [.starred], serial: state.listing.serial))
        state.type("star")
        #expect(state.listing.shortcut == .starred && state.listing.count == 1)
        #expect(state.type(.right) == [.listShortcut(.starred, serial: state.listing.serial)])
    }

    @Test("Without documents that were used or marked, the list is as it always was")
    func none() {
        let state = Self.accounts(PickerSamples.open, [])
        #expect(state.listing.account == PickerSamples.accounts[0] && state.listing.cursor == 0)
        #expect(PickerSamples.text(state)[3] == "> Local Folder")
    }

    @Test("Where something is put, used documents are no places; marked folders are")
    func destinations() {
        var task = PickerSamples.open
        task.destination = PickerTask.Destination(name: "report.pdf")
        #expect(Self.accounts(task).listing.shortcuts == [.starred])
        var folders = PickerSamples.open
        folders.choosesOnlyFolders = true
        #expect(Self.accounts(folders).listing.shortcuts == [.starred])
    }

    @Test("A slash asks what to search, beginning with what was typed; an empty text and Escape go back")
    func asking() {
        var state = PickerSamples.shown()
        state.type("min")
        state.type("/")
        #expect(state.panel == .search(TextField("min")))
        #expect(PickerSamples.text(state).contains("Search in all accounts:"))
        state.type(.escape)
        #expect(state.panel == .list && state.listing.filter.text == "min")
        state.type("/")
        state.type(.control("u"))
        #expect(state.type(.enter).isEmpty && state.panel == .list)
        state.type("/")
        #expect(state.type(.enter) == [.search("min", serial: state.listing.serial)])
        #expect(PickerSamples.text(state)[1].hasPrefix("Search: min"))
        #expect(state.isBusy)
    }

    @Test("What is found is shown with its place, and is chosen with it; the next picker begins in its folder")
    func choosing() {
        var state = Self.searched()
        let (first, folder) = (Self.found[0], Self.found[1])
        #expect(PickerSamples.text(state)[1].hasPrefix("Search: minutes") && !state.isBusy)
        #expect(PickerSamples.text(state)[22] == "12.5 kB, will be downloaded")
        let effects = state.type(.enter)
        #expect(
            effects == [
                .remember(DocumentLocation(provider: "org.docent.WebDAV", domain: "work", path: "/2026")),
                .finish(.items([PickedItem(location: first.location!, entry: first)], PickerTerms())),
            ])
        state = Self.searched()
        #expect(state.type(.down, .enter) == [.list(folder.location!, serial: state.listing.serial)])
        state = Self.searched()
        #expect(state.type(.end, .enter).isEmpty && state.message != nil)
        #expect(state.type(.escape) == [.loadAccounts(serial: state.listing.serial)])
    }

    @Test("Typing leaves what contains it in its place, and marks of several folders are kept")
    func marks() {
        var task = PickerSamples.open
        task.allowsSeveral = true
        var state = Self.searched(task)
        state.type("2026")
        #expect(state.listing.count == 1)
        state.type(.tab, .escape)
        #expect(state.marks.map(\.location) == [Self.found[0].location!])
        #expect(PickerSamples.text(state)[3].dropFirst().hasPrefix("*"))
    }

    @Test("What is put somewhere goes beside a document that was found")
    func beside() {
        var task = PickerSamples.open
        task.destination = PickerTask.Destination(name: "report.pdf")
        var state = Self.searched(task)
        let folder = DocumentLocation(provider: "org.docent.WebDAV", domain: "work", path: "/2026")
        #expect(state.type(.enter) == [.list(folder, serial: state.listing.serial)])
        #expect(state.type(.control("n")).isEmpty)
    }

    @Test("What was not searched is said with and without results, and however small the terminal is")
    func gaps() {
        let gaps = [
            PickerGap(account: "org.docent.WebDAV@work", sentence: "It is offline."),
            PickerGap(account: "org.docent.Rclone\u{1B}", sentence: "Its folders are being listed; 40 % are done."),
        ]
        // Too narrow for a preview, so that the rows are the whole line.
        let narrow = TerminalSize(columns: 75, rows: 24)
        let lines = PickerSamples.text(Self.searched(gaps: gaps, isCut: true, size: narrow))
        #expect(lines[6] == "  There is more: add words.")
        #expect(lines[7] == "  Not everything of org.docent.WebDAV@work was searched: It is offline.")
        #expect(lines[8].hasPrefix("  Not everything of org.docent.Rclone\\x1B was searched: Its folders"))
        #expect(lines[22] == "12.5 kB, will be downloaded. Not complete: 2 accounts")
        let empty = PickerSamples.text(Self.searched(gaps: [gaps[0]], [], size: narrow))
        #expect(empty[3] == "  Nothing was found." && empty[4].contains("It is offline."))
        #expect(empty[22] == "Not complete: org.docent.WebDAV@work")
        let small = Self.searched(gaps: gaps, size: TerminalSize(columns: 60, rows: 6))
        #expect(PickerSamples.text(small)[4] == "12.5 kB, will be downloaded. Not complete: 2 accounts")
    }

    @Test("A search that is refused says why, and its answers do not reach another list")
    func failing() {
        var state = PickerSamples.shown()
        state.type("/")
        state.type("newer:never")
        state.type(.enter)
        let serial = state.listing.serial
        _ = state.handle(.listingFailed(DocumentsError(.invalidArgument, "newer: needs a date."), serial: serial))
        #expect(PickerSamples.text(state).contains { $0.contains("newer: needs a date.") })
        #expect(PickerSamples.text(state).contains { $0.contains("Left shows the accounts.") })
        state.type(.left)
        _ = state.handle(.page(Self.found, remembered: nil, isLast: true, serial: serial))
        _ = state.handle(.searched(gaps: [PickerGap(account: "a", sentence: "b")], isCut: false, serial: serial))
        #expect(state.listing.entries.isEmpty && state.listing.gaps.isEmpty)
    }

    @Test("Without a screen, two slashes search, and the rows say where each is and what was not searched")
    func lines() {
        var state = PickerSamples.shown()
        #expect(state.handle(.line("//minutes")).contains(.search("minutes", serial: state.listing.serial)))
        _ = state.handle(.page(Self.found, remembered: nil, isLast: false, serial: state.listing.serial))
        let gaps = [PickerGap(account: "org.docent.WebDAV@work", sentence: "It is offline.")]
        _ = state.handle(.searched(gaps: gaps, isCut: false, serial: state.listing.serial))
        let text = LineText(state).text
        #expect(text.contains("org.docent.WebDAV@work:/2026/minutes.txt (12.5 kB, will be downloaded)"), "\(text)")
        #expect(text.contains("It is offline."), "\(text)")
        let accounts = LineText(Self.accounts()).text
        #expect(accounts.contains("1  [Recents]") && accounts.contains("3  Local Folder"), "\(accounts)")
        var asked = Self.accounts()
        #expect(asked.handle(.line("1")).contains(.listShortcut(.recents, serial: asked.listing.serial)))
    }

    @Test("A place that a provider made up cannot control the terminal", arguments: [(20, 4), (40, 8), (80, 24)])
    func hostile(_ columns: Int, _ rows: Int) {
        let size = TerminalSize(columns: columns, rows: rows)
        let entries = PickerDrawingTests.hostile.map { name in
            PickerEntry(name: name, location: DocumentLocation(provider: name, domain: name, path: name))
        }
        let gaps = PickerDrawingTests.hostile.map { PickerGap(account: $0, sentence: $0) }
        for gaps in [gaps, Array(gaps.prefix(1))] {
            let frame = PickerDrawing(Self.searched(gaps: gaps, entries, size: size)).frame()
            #expect(frame.lines.count == size.rows)
            for span in frame.lines.flatMap(\.spans) {
                #expect(span.column >= 0 && span.column + DisplayWidth.of(span.text) <= size.columns, "\(span)")
                for scalar in span.text.unicodeScalars {
                    #expect(![.control, .format].contains(scalar.properties.generalCategory), "\(span)")
                }
            }
        }
    }
}
