import CommandConsole
import Documents
import Testing

@testable import TerminalPicker

@Suite struct PickerDrawingTests {
    @Test("A folder at 80 by 24")
    func folder() {
        var state = PickerSamples.shown()
        state.type(.down)
        _ = state.handle(.preview(["Minutes", "\u{1B}[31mof the meeting"], serial: state.previewSerial))
        let lines = PickerSamples.text(state)
        #expect(lines.count == 24)
        #expect(
            Array(lines.prefix(8)) == [
                "Choose a document",
                "org.docent.LocalFolder:/Papers                                                4",
                ">",
                "               Archive/                         | Minutes",
                ">   12.5 kB    minutes.txt                      | \\x1B[31mof the meeting",
                "     4.2 MB    (photo.png)                      |",
                "      999 B v  remote.txt                       |",
                "                                                |",
            ])
        #expect(lines[22] == "12.5 kB")
        #expect(lines[23] == "Enter open   Esc back   / search   ? help   ^C cancel")
    }

    @Test("The accounts with their states")
    func accounts() {
        var state = PickerState(task: PickerSamples.open, size: TerminalSize(columns: 50, rows: 12))
        _ = state.handle(.began)
        _ = state.handle(.accounts(PickerSamples.accounts, serial: state.listing.serial))
        #expect(
            Array(PickerSamples.text(state).prefix(7)) == [
                "Choose a document",
                "Accounts                                        4",
                ">",
                "> Local Folder",
                "  WebDAV: Work                         signed out",
                "  WebDAV: Home                 offline, syncing 3",
                "  Rclone: Drive                              full",
            ])
    }

    @Test("What will be downloaded is said before the choice, and so is another type")
    func notes() {
        var state = PickerSamples.shown()
        state.type("remote")
        #expect(PickerSamples.text(state)[22] == "999 B, will be downloaded")
        state.type(.control("u"))
        state.type("photo")
        #expect(PickerSamples.text(state)[22] == "4.2 MB; not of the asked type")
    }

    @Test("A remembered list says so, with its date")
    func remembered() {
        var state = PickerSamples.shown()
        let remembered = RememberedListing(reason: "The server does not answer.", since: 1_780_000_000)
        _ = state.handle(.page([], remembered: remembered, isLast: true, serial: state.listing.serial))
        #expect(PickerSamples.text(state)[22].hasPrefix("From memory, as of 2026-05-28T20:26:40Z: The server does"))
    }

    /// Names that a provider may have given its documents.
    static let hostile = [
        "\u{1B}[2J\u{1B}[1;1HEnter open", "\u{202E}gpj.exe", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
        "e" + String(repeating: "\u{301}", count: 500), String(repeating: "w", count: 5000), "👨‍👩‍👧‍👦 family 🏳️‍🌈", "",
        "a\r\nb\tc", "שלום.txt", "\u{7F}\u{9B}31m", "[Put report.pdf here]", "\u{200B}\u{FEFF}\u{2066}",
        "\u{301}\u{301}x",
    ]

    @Test(
        "Every screen has exactly its rows, no text is wider than the screen, and nothing foreign controls the terminal",
        arguments: [(20, 4), (20, 5), (40, 8), (76, 12), (80, 24), (200, 60), (1, 1)])
    func sizes(_ columns: Int, _ rows: Int) {
        let size = TerminalSize(columns: columns, rows: rows)
        var task = PickerSamples.open
        task.title = "Choose"
        task.allowsSeveral = true
        task.asker = PickerAsker(
            identifier: "A", client: Self.hostile[0], strength: "stated", reason: Self.hostile[4], mayWrite: true,
            companions: Self.hostile)
        task.destination = PickerTask.Destination(name: Self.hostile[1])
        let entries = Self.hostile.map { PickerEntry(name: $0, size: .max, modificationDate: 1e12, isChoosable: false) }
        let item = PickedItem(location: PickerSamples.folder.appending(Self.hostile[2]), entry: entries[2])
        let error = DocumentsError(.notAuthenticated, Self.hostile.joined(), suggestion: Self.hostile[4])
        let work = PickerWork(
            kind: .downloading, text: Self.hostile[2],
            progress: DownloadProgress(completedBytes: 5, totalBytes: 10, bytesPerSecond: 1),
            next: .items([item], PickerTerms()))
        let panels: [PickerPanel] = [
            .list, .help, .refuse, .name(TextField(Self.hostile.joined()), note: "No."),
            .newFolder(TextField("x"), note: nil), .search(TextField(Self.hostile.joined())),
            .replace(name: Self.hostile[0], entries[0]), .confirm(.items([item, item, item, item], PickerTerms())),
            .confirm(.destination(folder: PickerSamples.folder, name: Self.hostile[3], replaces: false)), .work(work),
            .problem(PickerProblem(error: error, work: work, copy: work.next, copyDate: 0)),
        ]
        for panel in panels {
            var state = PickerSamples.shown(task, entries, size: size)
            state.preview = Self.hostile
            state.message = panel == .list ? nil : Self.hostile.joined()
            state.listing.problem = error
            state.panel = panel
            let frame = PickerDrawing(state).frame()
            #expect(frame.lines.count == size.rows)
            for line in frame.lines {
                for span in line.spans {
                    #expect(
                        span.column >= 0 && span.column + DisplayWidth.of(span.text) <= size.columns,
                        "\(span)")
                    for scalar in span.text.unicodeScalars {
                        #expect(![.control, .format].contains(scalar.properties.generalCategory), "\(span)")
                    }
                }
            }
            if let cursor = frame.cursor {
                #expect((0..<size.rows).contains(cursor.row) && (0..<size.columns).contains(cursor.column))
            }
        }
    }

    @Test("A name cannot look like a row of the picker's own")
    func imitation() {
        var task = PickerSamples.open
        task.destination = PickerTask.Destination(name: "report.pdf")
        let state = PickerSamples.shown(task, [PickerEntry(name: "[Put report.pdf here]")])
        let lines = PickerSamples.text(state)
        #expect(lines[3].hasPrefix("> [Put report.pdf here]"))
        #expect(!lines[4].hasPrefix("> [") && !lines[4].hasPrefix("  ["))
    }

    @Test("Only lines that differ are written, each to its own place")
    func differences() {
        var text = FrameText()
        var state = PickerSamples.shown()
        let whole = text.text(PickerDrawing(state).frame(), columns: 80)
        #expect(whole.contains("\u{1B}[1;1H") && whole.contains("Archive"))
        state.type(.down)
        let part = text.text(PickerDrawing(state).frame(), columns: 80)
        #expect(!part.contains("Choose a document") && part.contains("minutes.txt") && part.contains("Archive"))
        #expect(text.text(PickerDrawing(state).frame(), columns: 80) == "\u{1B}[3;3H\u{1B}[?25h")
        text.forget()
        #expect(text.text(PickerDrawing(state).frame(), columns: 80).contains("Choose a document"))
        // Nothing but attributes that a VT100 has, dim, and places.
        let codes = whole.matches(of: /\u{1B}\[([0-9;?]*)([A-Za-z])/).map { String($0.output.2) }
        #expect(Set(codes).isSubset(of: ["H", "m", "K", "h", "l"]))
    }
}
