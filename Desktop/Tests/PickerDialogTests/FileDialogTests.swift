import Documents
import FoundationEssentials
import Glibc
import PickerDialog
import TerminalPicker
import Testing

@Suite("File dialogs")
struct FileDialogTests {
    @Test(
        "Patterns of names, in any case",
        arguments: [
            ("a.TXT", "*.txt", true), ("a.txt.gz", "*.txt", false), ("photo.jpg", "*.[jJ][pP]g", true),
            ("a", "?", true), ("ab", "?", false), ("x", "[!a-c]", true), ("b", "[a-c]", true), ("[", "[", true),
            ("", "*", true), ("a.b", "*.*", true), ("\u{00c4}.txt", "\u{00e4}*", true), ("a]", "a[]]", true),
        ])
    func globs(name: String, glob: String, isMatched: Bool) {
        #expect(FileFilter(name: "", globs: [glob]).matches(PickerEntry(name: name)) == isMatched)
    }

    @Test("No pattern takes long")
    func longPattern() {
        let filter = FileFilter(name: "", globs: [String(repeating: "*a", count: 100) + "b"])
        #expect(!filter.matches(PickerEntry(name: String(repeating: "a", count: 255))))
    }

    @Test(
        "MIME types, with those that are a kind of them",
        arguments: [
            ("public.png", "image/*", true), ("public.png", "image/png", true), ("public.png", "image/jpeg", false),
            ("public.plain-text", "text/plain", true), ("public.html", "text/*", true),
            ("public.png", "application/octet-stream", true), ("public.png", "*/*", true),
            ("com.adobe.pdf", "application/*", true),
        ])
    func types(type: String, mime: String, isMatched: Bool) {
        let entry = PickerEntry(name: "a", contentType: type)
        #expect(FileFilter(name: "", types: [mime]).matches(entry) == isMatched)
    }

    private func dialog(_ mode: DialogRequest.Mode, _ change: (inout FileDialog) -> Void = { _ in }) -> WindowModel {
        var request = DialogRequest(mode: mode)
        request.downloads = false

        var files = FileDialog()
        change(&files)
        request.files = files
        var model = WindowModel(request)
        model.arm()
        return model
    }

    @Test("A filter dims, and another one undims; what cannot be chosen is no longer selected")
    func filters() throws {
        var model = dialog(.open) {
            $0.filters = [.init(name: "Texts", globs: ["*.txt"]), .init(name: "Pictures", globs: ["*.png"])]
            $0.filter = 0
            $0.folder = "/home/a/"
        }
        let steps = model.begin()
        let folder = LocalFiles.location("/home/a")
        #expect(steps == [.load(.folder(folder), serial: 1)])
        model.append(
            [PickerEntry(name: "a.txt"), PickerEntry(name: "b.png"), PickerEntry(name: "c", isFolder: true)],
            remembered: nil, isLast: true, serial: 1)
        #expect((0..<3).map(model.isEnabled) == [true, false, true])
        model.select([0])
        var set = model.dialog
        set.filter = 1
        model.set(set)
        #expect((0..<3).map(model.isEnabled) == [false, true, true])
        #expect(model.selection.isEmpty)
        model.select([1])
        let commit = model.confirm(name: "")
        guard case .commit(let answer, let serial) = try #require(commit.first) else {
            Issue.record("nothing is passed on")
            return
        }
        #expect(answer.locations == [folder.appending("b.png")])
        let finished = model.worked(serial: serial, paths: ["/home/a/b.png"])
        guard case .finish(let last?) = try #require(finished.first) else {
            Issue.record("it does not end")
            return
        }
        #expect(last.files == FileDialogAnswer(paths: ["/home/a/b.png"], filter: 1))
        #expect(FileDialogAnswer(line: try last.json()) == last.files)
    }

    @Test("The row of this computer leads to the home folder, and the way up to the places")
    func home() {
        var model = dialog(.open)
        model.home = LocalFiles.location("/home/a")
        _ = model.begin()
        model.show([LocalFiles.account], serial: 1)
        #expect(model.activate(0) == [.load(.folder(LocalFiles.location("/home/a")), serial: 2)])
        #expect(model.up() == [.load(.folder(LocalFiles.location("/home")), serial: 3)])
        #expect(model.up() == [.load(.folder(LocalFiles.location("/")), serial: 4)])
        #expect(model.up() == [.load(.accounts, serial: 5)])
    }

    @Test("A request for a file dialog survives its way to the window")
    func json() throws {
        var request = DialogRequest(mode: .folder)
        var files = FileDialog()
        files.names = ["a\n\"b\"", "c"]
        files.choices = [
            .init(identifier: "x", label: "y", options: [.init(identifier: "a", label: "b")], selected: "a")
        ]
        request.files = files
        request.reason = "why"
        #expect(try DialogRequest(json: request.json()) == request)
        #expect(!String(decoding: try request.json(), as: UTF8.self).contains("\n"))
        #expect(FileDialogNews(line: Data(#"{"others": 3}"#.utf8)) == FileDialogNews(others: 3))
        #expect(FileDialogNews(line: Data("x".utf8)) == nil)
    }

    @Test("A number stands before the extension of a name that is taken")
    func freeNames() async {
        func free(_ name: String, _ taken: Set<String>) async -> String {
            await SavedNames.free(name) { taken.contains($0) }
        }
        #expect(await free("a.txt", []) == "a.txt")
        #expect(await free("a.txt", ["a.txt", "a (1).txt"]) == "a (2).txt")
        #expect(await free(".profile", [".profile"]) == ".profile (1)")
        #expect(await free("a", ["a"]) == "a (1)")
    }

    @Test("The files of this computer: folders first, nothing hidden, links as what they lead to")
    func localFiles() throws {
        let place = FileManager.default.temporaryDirectory.path + "/docent-files-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place + "/b", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        try Data("12345".utf8).write(to: URL(filePath: place + "/A.txt"))
        try Data().write(to: URL(filePath: place + "/.hidden"))
        symlink("b", place + "/link")
        symlink("nowhere", place + "/zero")
        mkfifo(place + "/pipe", 0o600)
        let files = LocalFiles(home: place)
        let top = files.start
        let entries = try files.list(top)
        #expect(entries.map(\.name) == ["b", "link", "A.txt", "pipe", "zero"])
        #expect(entries.map(\.isFolder) == [true, true, false, false, false])
        #expect(entries.map(\.isChoosable) == [true, true, true, false, false])
        #expect(entries[2].size == 5)
        #expect(entries[2].contentType == "public.plain-text")
        #expect(try files.lookUp(top.appending("none")) == nil)
        #expect(try files.lookUp(top.appending("zero"))?.name == "zero")
        try files.makeFolder(top.appending("new"))
        #expect(try files.lookUp(top.appending("new"))?.isFolder == true)
        #expect(throws: DocumentsError.self) { try files.makeFolder(top.appending("new")) }
        #expect(throws: DocumentsError.self) { try files.list(top.appending("none")) }
    }
}
