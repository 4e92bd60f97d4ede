import Documents
import Testing

@testable import TerminalPicker

@Suite struct PickerStateTests {
    @Test("The picker begins with the accounts, or in the folder of the last time")
    func beginning() {
        var state = PickerState(task: PickerSamples.open, size: TerminalSize())
        #expect(state.handle(.began) == [.loadAccounts(serial: 1)])
        var task = PickerSamples.open
        task.start = PickerSamples.folder
        state = PickerState(task: task, size: TerminalSize())
        #expect(state.handle(.began) == [.list(PickerSamples.folder, serial: 1)])
    }

    @Test("Enter on an account lists it, or signs in first where that is needed, and goes on afterwards")
    func accounts() {
        var state = PickerState(task: PickerSamples.open, size: TerminalSize())
        _ = state.handle(.began)
        _ = state.handle(.accounts(PickerSamples.accounts, serial: state.listing.serial))
        #expect(state.type(.enter).contains(.list(PickerSamples.accounts[0].location, serial: state.listing.serial)))
        _ = state.type(.left)
        _ = state.handle(.accounts(PickerSamples.accounts, serial: state.listing.serial))
        #expect(state.type(.down, .enter) == [.signIn(provider: "org.docent.WebDAV", domain: "work")])
        let effects = state.handle(.signedIn(nil))
        #expect(effects.contains(.list(PickerSamples.accounts[1].location, serial: state.listing.serial)))
    }

    @Test("A sign-in that fails leaves the picker where it was, with the reason")
    func refusedSignIn() {
        var state = PickerSamples.shown()
        #expect(state.type(.control("s")) == [.signIn(provider: "org.docent.LocalFolder", domain: "")])
        _ = state.handle(.signedIn(DocumentsError(.notAuthenticated, "Wrong password.")))
        #expect(PickerSamples.text(state).contains("Wrong password."))
        #expect(state.type(.character("s")) == [.signIn(provider: "org.docent.LocalFolder", domain: "")])
        state.type(.escape)
        #expect(state.panel == .list)
        _ = state.handle(.signedIn(DocumentsError(.cancelled, "x")))
        #expect(state.message == "You did not sign in.")
    }

    @Test("Typing filters, Enter chooses, Escape first takes the filter back, then the folder, then everything")
    func typing() {
        var state = PickerSamples.shown()
        state.type("min")
        #expect(state.listing.count == 1 && state.listing.entry?.name == "minutes.txt")
        let chosen = state.type(.enter)
        let item = PickedItem(location: PickerSamples.folder.appending("minutes.txt"), entry: PickerSamples.entries[1])
        #expect(chosen.contains(.finish(.items([item], PickerTerms()))))
        #expect(chosen.contains(.remember(PickerSamples.folder)))
        #expect(state.type(.enter).isEmpty, "nothing happens after the end")

        state = PickerSamples.shown()
        state.type("x")
        state.type(.escape)
        #expect(state.listing.filter.text.isEmpty && state.listing.folder == PickerSamples.folder)
        state.type(.escape)
        #expect(state.listing.folder?.path == "/")
        state.type(.escape)
        #expect(state.listing.place == .accounts)
        #expect(state.type(.escape).contains(.finish(.cancelled)))
    }

    @Test("Pasted text filters and chooses nothing, whatever is in it")
    func pasted() {
        var state = PickerSamples.shown()
        #expect(!state.type(.pasted("minutes\n\u{3}\r")).contains { if case .finish = $0 { true } else { false } })
        #expect(!state.listing.filter.text.contains("\n"))
    }

    @Test("Control-C cancels everywhere, and cancels a step first")
    func cancelling() {
        for keys: [Key] in [[], [.character("?")], [.control("s")]] {
            var state = PickerSamples.shown()
            for key in keys { state.type(key) }
            #expect(state.type(.control("c")).contains(.finish(.cancelled)))
        }
        var task = PickerSamples.open
        task.downloads = true
        var state = PickerSamples.shown(task)
        state.type(.end)
        state.type(.enter)
        #expect(state.type(.control("c")).contains(.cancelWork))
        #expect(state.panel == .list)
    }

    @Test("Only what has the asked type can be chosen or marked")
    func types() {
        var task = PickerSamples.open
        task.allowsSeveral = true
        var state = PickerSamples.shown(task)
        state.type("photo")
        #expect(state.type(.enter).isEmpty && state.message != nil)
        state.type(.tab)
        #expect(state.marks.isEmpty)
    }

    @Test("Marks are kept over filters and folders, can be taken back, and are chosen in their order")
    func marks() {
        var task = PickerSamples.open
        task.allowsSeveral = true
        var state = PickerSamples.shown(task)
        state.type("remote")
        state.type(.tab, .escape)
        state.type("minutes")
        state.type(.tab, .tab, .tab)
        #expect(state.marks.map(\.location.name) == ["remote.txt", "minutes.txt"])
        state.type(.escape, .left)
        let effects = state.type(.control("d"))
        guard case .finish(.items(let items, _))? = effects.last else { return #expect(Bool(false), "\(effects)") }
        #expect(items.map(\.location.name) == ["remote.txt", "minutes.txt"])
    }

    @Test("Pages that arrive later keep the cursor on its row, and rows of another folder are ignored")
    func pages() {
        var state = PickerSamples.shown()
        state.type(.down, .down)
        let stale = state.listing.serial
        _ = state.handle(.page([PickerEntry(name: "more.txt")], remembered: nil, isLast: true, serial: stale))
        #expect(state.listing.entry?.name == "photo.png" && state.listing.total == 5)
        state.type(.left)
        _ = state.handle(.page([PickerEntry(name: "late.txt")], remembered: nil, isLast: true, serial: stale))
        #expect(state.listing.total == 0)
        #expect(state.isBusy)
        // The folder that the person came from gets the cursor.
        let entries = [PickerEntry(name: "a"), PickerEntry(name: "Papers", isFolder: true)]
        _ = state.handle(.page(entries, remembered: nil, isLast: true, serial: state.listing.serial))
        #expect(state.listing.entry?.name == "Papers")
    }

    @Test("Ten thousand entries scroll to the end and back, and the cursor stays on the screen")
    func scrolling() {
        var state = PickerSamples.shown(
            PickerSamples.open, (0..<10_000).map { PickerEntry(name: "Document \($0)") })
        for key: Key in [.end, .pageUp, .up, .home, .pageDown, .down] {
            state.type(key)
            let range = state.listing.top..<(state.listing.top + state.listRows)
            #expect(range.contains(state.listing.cursor))
        }
        state.type(.end)
        #expect(state.listing.entry?.name == "Document 9999")
        _ = state.handle(.resized(TerminalSize(columns: 20, rows: 4)))
        #expect((state.listing.top..<(state.listing.top + state.listRows)).contains(state.listing.cursor))
    }

    @Test("A folder that cannot be listed shows why, and Enter or Control-R tries again")
    func listingFailure() {
        var state = PickerState(task: PickerSamples.open, size: TerminalSize())
        _ = state.handle(.began)
        _ = state.handle(.listingFailed(DocumentsError(.unavailable, "No route."), serial: state.listing.serial))
        #expect(state.type(.enter) == [.loadAccounts(serial: state.listing.serial)])
        _ = state.handle(.listingFailed(DocumentsError(.unavailable, "No route."), serial: state.listing.serial))
        #expect(state.type(.control("r")) == [.loadAccounts(serial: state.listing.serial)])
    }

    @Test("Content that is not here is fetched before the end, with progress, if it is wanted")
    func download() {
        var task = PickerSamples.open
        task.downloads = true
        var state = PickerSamples.shown(task)
        state.type("remote")
        let effects = state.type(.enter)
        let location = PickerSamples.folder.appending("remote.txt")
        #expect(effects.contains(.download([location], serial: state.workSerial)))
        _ = state.handle(.progressed(DownloadProgress(completedBytes: 5), serial: state.workSerial))
        guard case .work(let work) = state.panel else { return #expect(Bool(false)) }
        #expect(work.progress?.completedBytes == 5)
        #expect(state.handle(.worked(serial: state.workSerial - 1)).isEmpty, "an earlier step is ignored")
        #expect(
            state.handle(.worked(serial: state.workSerial)).contains { if case .finish = $0 { true } else { false } })
    }

    @Test("A download that was cancelled ends in the list; its late answer is ignored")
    func cancelledDownload() {
        var task = PickerSamples.open
        task.downloads = true
        var state = PickerSamples.shown(task)
        state.type("remote")
        state.type(.enter)
        let serial = state.workSerial
        #expect(state.type(.escape).contains(.cancelWork))
        #expect(state.handle(.worked(serial: serial)).isEmpty)
        #expect(state.panel == .list)
    }

    @Test("After a failed download there are ways on: again, sign in and then again, or the copy that is here")
    func failedDownload() {
        var task = PickerSamples.open
        task.downloads = true
        let stale = PickerEntry(
            name: "stale.txt", modificationDate: 1_780_000_000, isDownloaded: true, isStale: true)
        var state = PickerSamples.shown(task, [stale])
        state.type(.enter)
        _ = state.handle(.failed(DocumentsError(.unavailable, "Offline."), serial: state.workSerial))
        #expect(
            state.type(.character("r")).contains(
                .download([PickerSamples.folder.appending("stale.txt")], serial: state.workSerial)))
        _ = state.handle(.failed(DocumentsError(.notAuthenticated, "Sign in."), serial: state.workSerial))
        #expect(state.type(.character("s")) == [.signIn(provider: "org.docent.LocalFolder", domain: "")])
        #expect(
            state.handle(.signedIn(nil)).contains(
                .download([PickerSamples.folder.appending("stale.txt")], serial: state.workSerial)))
        _ = state.handle(.failed(DocumentsError(.unavailable, "Offline."), serial: state.workSerial))
        #expect(state.type(.character("u")).contains { if case .finish(.items) = $0 { true } else { false } })
    }

    @Test("A preview is only asked for of what is here, and not on a narrow terminal")
    func preview() {
        var state = PickerSamples.shown()
        state.type("minutes")
        #expect(state.previewed == PickerSamples.folder.appending("minutes.txt"))
        state.type(.control("u"))
        state.type("remote")
        #expect(state.previewed == nil)
        #expect(PickerSamples.shown(size: TerminalSize(columns: 60, rows: 24)).previewed == nil)
        _ = state.handle(.preview(["late"], serial: state.previewSerial - 1))
        #expect(state.preview == nil)
    }

    @Test("A link is followed before it is entered or chosen")
    func link() {
        var state = PickerSamples.shown(PickerSamples.open, [PickerEntry(name: "link", isLink: true)])
        #expect(
            state.type(.enter) == [
                .follow(PickerSamples.folder.appending("link"), serial: state.workSerial)
            ])
        let target = PickerEntry(name: "link", contentType: "public.folder", isFolder: true)
        #expect(
            state.handle(.followed(target, serial: state.workSerial)).contains(
                .list(PickerSamples.folder.appending("link"), serial: state.listing.serial)))
    }

    @Test("A stopped and a resized terminal are drawn again")
    func terminal() {
        var state = PickerSamples.shown()
        #expect(state.type(.control("z")) == [.suspend])
        #expect(state.type(.control("l")) == [.redraw])
        #expect(state.handle(.resized(TerminalSize(columns: 30, rows: 6))) == [.redraw])
        #expect(state.handle(.ended) == [.finish(.cancelled)])
    }
}
