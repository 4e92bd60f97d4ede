import Documents
import PickerDialog
import TerminalPicker
import Testing

@Suite("What the window waits for after a choice")
struct WindowWorkTests {
    private static let folder = WindowModelTests.folder
    private static let asker = PickerAsker(identifier: "1", client: "org.example.Editor", strength: "enforced")
    private static let gone = DocumentsError(.unavailable, "The service has gone away.")

    private func window(
        _ mode: DialogRequest.Mode, _ entries: [PickerEntry], isArmed: Bool = true, asker: PickerAsker? = nil
    ) -> WindowModel { WindowModelTests.window(mode, entries, isArmed: isArmed, asker: asker) }

    @Test("Saving asks before it replaces a document, and replaces no folder")
    func saving() {
        let location = Self.folder.appending("a.txt")
        var model = window(.export, [])
        for name in ["", " ", "..", "a/b"] {
            #expect(model.confirm(name: name).isEmpty)
            #expect(model.notice == .badName)
        }
        #expect(model.confirm(name: "a.txt") == [.lookUp(location, serial: 2)])
        #expect(!model.canConfirm)
        #expect(model.lookedUp(PickerEntry(name: "a.txt", isFolder: true), serial: 2).isEmpty)
        #expect(model.notice == .folderHasName("a.txt"))
        #expect(model.replace().isEmpty)
        #expect(model.confirm(name: "a.txt") == [.lookUp(location, serial: 3)])
        #expect(model.lookedUp(PickerEntry(name: "a.txt"), serial: 3).isEmpty)
        #expect(model.replace() == [.finish(DialogAnswer([location], replaces: true))])
        #expect(model.cancel().isEmpty)
    }

    @Test("Nothing is moved over a document, and no program's export replaces one")
    func takenForGood() {
        for (mode, asker) in [(DialogRequest.Mode.move, nil), (.export, Self.asker)] {
            var model = window(mode, [], asker: asker)
            #expect(model.confirm(name: "a.txt") == [.lookUp(Self.folder.appending("a.txt"), serial: 2)])
            #expect(model.lookedUp(PickerEntry(name: "a.txt"), serial: 2).isEmpty)
            #expect(model.notice == .takenForGood(PickerEntry(name: "a.txt")))
            #expect(model.replace().isEmpty)
        }
    }

    @Test("A free name is an answer at once")
    func freeName() {
        var model = window(.export, [])
        #expect(model.confirm(name: "b.txt") == [.lookUp(Self.folder.appending("b.txt"), serial: 2)])
        // The folder is still being listed meanwhile.
        model.append([PickerEntry(name: "c.txt")], remembered: nil, isLast: true, serial: 1)
        #expect(model.entries.count == 1)
        #expect(
            model.lookedUp(nil, serial: 2) == [.finish(DialogAnswer([Self.folder.appending("b.txt")]))])
    }

    @Test("What is not here is fetched first; that can be stopped, and its late replies change nothing")
    func downloading() {
        let entry = PickerEntry(name: "a.txt", isDownloaded: false)
        let location = Self.folder.appending("a.txt")
        var model = window(.open, [entry])
        #expect(model.activate(0) == [.download([location], serial: 2)])
        #expect(!model.canConfirm)
        #expect(model.up().isEmpty)
        model.progressed(DownloadProgress(completedBytes: 25, totalBytes: 100, bytesPerSecond: 10), serial: 2)
        #expect(model.work?.fraction == 0.25)
        #expect(model.work?.secondsLeft == 8)
        #expect(model.escape() == [.cancelWork])
        #expect(model.worked(serial: 2).isEmpty)
        model.failed(Self.gone, serial: 2)
        #expect(model.notice == nil)
        #expect(model.confirm(name: "") == [.download([location], serial: 3)])
        #expect(model.worked(serial: 3) == [.finish(DialogAnswer([location]))])
    }

    @Test("Rates and sizes that are not known or not possible are not shown")
    func oddProgress() {
        var work = WindowWork(kind: .downloading, serial: 1, answer: DialogAnswer([Self.folder]))
        for progress in [
            DownloadProgress(completedBytes: 5), DownloadProgress(completedBytes: 5, totalBytes: 0),
            DownloadProgress(completedBytes: 5, totalBytes: Int.max, bytesPerSecond: 1.5),
            DownloadProgress(completedBytes: 5, totalBytes: 10, bytesPerSecond: 0),
            DownloadProgress(completedBytes: 5, totalBytes: 10, bytesPerSecond: .nan),
        ] {
            work.progress = progress
            #expect(work.secondsLeft == nil)
        }
        work.progress = DownloadProgress(completedBytes: 50, totalBytes: 10, bytesPerSecond: 1)
        #expect(work.fraction == 1)
        #expect(work.secondsLeft == 0)
    }

    @Test("A download that fails can be tried again, and the copy that is here be used")
    func failing() {
        let location = Self.folder.appending("a.txt")
        var model = window(.open, [PickerEntry(name: "a.txt", isStale: true)])
        #expect(model.activate(0) == [.download([location], serial: 2)])
        model.failed(Self.gone, serial: 2)
        #expect(WindowText.notice(model)?.ways == [.retry, .useCopies])
        #expect(model.retry() == [.download([location], serial: 3)])
        model.failed(Self.gone, serial: 3)
        #expect(model.useCopies() == [.finish(DialogAnswer([location]))])
        model = window(.open, [PickerEntry(name: "a.txt", isDownloaded: false)])
        #expect(model.activate(0) == [.download([location], serial: 2)])
        model.failed(Self.gone, serial: 2)
        #expect(WindowText.notice(model)?.ways == [.retry])
        #expect(model.useCopies().isEmpty)
    }

    @Test("A link leads to a folder, to a document, or to what was not asked for")
    func links() {
        let location = Self.folder.appending("link")
        var model = window(.open, [PickerEntry(name: "link", isLink: true)])
        #expect(model.activate(0) == [.follow(location, serial: 2)])
        #expect(
            model.followed(PickerEntry(name: "link", isFolder: true), at: location, serial: 2)
                == [.load(.folder(location), serial: 3)])
        model = window(.open, [PickerEntry(name: "link", isLink: true)])
        _ = model.activate(0)
        #expect(
            model.followed(PickerEntry(name: "link"), at: location, serial: 2) == [.finish(DialogAnswer([location]))])
        model = window(.open, [PickerEntry(name: "link", isLink: true)])
        _ = model.activate(0)
        #expect(model.followed(PickerEntry(name: "link", isChoosable: false), at: location, serial: 2).isEmpty)
        #expect(model.notice != nil)
    }

    @Test("A folder is made where folders are chosen, and opened")
    func makingFolder() {
        let location = Self.folder.appending("New")
        for mode in [DialogRequest.Mode.folder, .export, .move] {
            var model = window(mode, [])
            #expect(model.makeFolder(name: "a/b").isEmpty)
            #expect(model.notice == .badName)
            #expect(model.makeFolder(name: "New") == [.makeFolder(Self.folder, name: "New", serial: 2)])
            #expect(model.makeFolder(name: "New").isEmpty)
            // It cannot be taken back.
            #expect(model.escape().isEmpty)
            model.failed(Self.gone, serial: 2)
            #expect(model.retry() == [.makeFolder(Self.folder, name: "New", serial: 3)])
            #expect(model.worked(serial: 3) == [.load(.folder(location), serial: 4)])
        }
        var model = window(.open, [])
        #expect(model.makeFolder(name: "New").isEmpty)
    }

    @Test("Escape first clears the filter")
    func escape() {
        var model = window(.open, [PickerEntry(name: "a.txt")])
        model.setFilter("b")
        #expect(model.escape().isEmpty)
        #expect(model.visible == [0])
        #expect(model.escape() == [.finish(nil)])
    }

    @Test("A program's request ends when the choice was passed on, and a failure is shown")
    func committing() {
        let answer = DialogAnswer([Self.folder.appending("a.txt")])
        var model = window(.open, [PickerEntry(name: "a.txt")], asker: Self.asker)
        #expect(model.activate(0) == [.commit(answer, serial: 2)])
        // What was passed on cannot be taken back.
        #expect(model.stop().isEmpty)
        model.failed(DocumentsError(.notFound, "There is no such request any more."), serial: 2)
        #expect(model.retry() == [.commit(answer, serial: 3)])
        #expect(model.worked(serial: 3) == [.finish(answer)])
    }

    @Test("What was typed for another window refuses no request")
    func refusing() {
        var model = window(.open, [], isArmed: false, asker: Self.asker)
        #expect(model.escape().isEmpty)
        model.arm()
        #expect(model.escape() == [.finish(nil)])
    }

    @Test("The words of others are quoted, of limited length, and hide nothing")
    func words() {
        var request = DialogRequest(mode: .open)
        request.program = "x\"\u{202E}\n" + String(repeating: "y", count: 5000)
        request.reason = request.program
        request.acceptLabel = request.program
        request.title = request.program
        let model = WindowModel(request)
        let texts = [
            WindowText.title(request), WindowText.accept(request), WindowText.asker(model) ?? "",
            WindowText.reason(model) ?? "",
        ]
        for text in texts {
            #expect(text.count <= 260)
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .format || $0.value < 0x20 })
        }
        #expect(WindowText.accept(request).count <= 24)
        #expect(texts[3].hasPrefix("It says: \"x\\x22"))
        #expect(texts[3].filter { $0 == "\"" }.count == 2)
    }
}
