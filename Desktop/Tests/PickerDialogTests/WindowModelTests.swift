import Documents
import PickerDialog
import TerminalPicker
import Testing

@Suite("What the window shows, and what a click means")
struct WindowModelTests {
    static let folder = DocumentLocation(provider: "org.example.Provider", path: "/Papers")

    /// A window that shows a folder with these entries.
    static func window(
        _ mode: DialogRequest.Mode, _ entries: [PickerEntry], isArmed: Bool = true, multiple: Bool = false,
        asker: PickerAsker? = nil
    ) -> WindowModel {
        var request = DialogRequest(mode: mode)
        request.currentFolder = folder
        request.multiple = multiple
        var model = WindowModel(request, asker: asker)
        #expect(model.begin() == [.load(.folder(folder), serial: 1)])
        model.append(entries, remembered: nil, isLast: true, serial: 1)
        if isArmed { model.arm() }
        return model
    }

    @Test("Only documents of the asked types can be chosen")
    func dimmed() {
        var model = Self.window(
            .open, [PickerEntry(name: "a.txt"), PickerEntry(name: "b.png", isChoosable: false)])
        #expect(model.isEnabled(0))
        #expect(!model.isEnabled(1))
        model.select([1])
        #expect(!model.canConfirm)
        #expect(model.activate(1).isEmpty)
        #expect(model.activate(0) == [.finish(DialogAnswer([Self.folder.appending("a.txt")]))])
    }

    @Test("What was typed for another window confirms nothing")
    func arming() {
        var model = Self.window(.open, [PickerEntry(name: "a.txt")], isArmed: false)
        model.select([0])
        #expect(!model.canConfirm)
        #expect(model.confirm(name: "").isEmpty)
        #expect(model.activate(0).isEmpty)
        model.arm()
        #expect(model.canConfirm)
    }

    @Test("It does not choose what a link leads to, either")
    func armingLinks() {
        var model = Self.window(.open, [PickerEntry(name: "link", isLink: true)], isArmed: false)
        #expect(model.activate(0).isEmpty)
        #expect(model.work == nil)
    }

    @Test("A folder is entered, and the way leads back to the accounts")
    func walking() {
        var model = Self.window(.open, [PickerEntry(name: "Old", isFolder: true)])
        #expect(model.activate(0) == [.load(.folder(Self.folder.appending("Old")), serial: 2)])
        #expect(model.up() == [.load(.folder(Self.folder), serial: 3)])
        #expect(model.up() == [.load(.folder(Self.folder.parent), serial: 4)])
        #expect(model.up() == [.load(.accounts, serial: 5)])
        #expect(model.up().isEmpty)
    }

    @Test("The window begins in the folder of the last time, unless one was asked for")
    func beginning() {
        var model = WindowModel(DialogRequest(mode: .open))
        #expect(model.begin(in: Self.folder) == [.load(.folder(Self.folder), serial: 1)])
        var request = DialogRequest(mode: .open)
        request.currentFolder = Self.folder.parent
        model = WindowModel(request)
        #expect(model.begin(in: Self.folder) == [.load(.folder(Self.folder.parent), serial: 1)])
    }

    @Test("Replies to what is no longer shown are ignored")
    func lateReplies() {
        var model = Self.window(.open, [PickerEntry(name: "Old", isFolder: true)])
        _ = model.activate(0)
        model.append([PickerEntry(name: "late")], remembered: nil, isLast: true, serial: 1)
        model.failed(DocumentsError(.unavailable, "late"), serial: 1)
        #expect(model.entries.isEmpty)
        #expect(model.notice == nil)
        #expect(!model.isComplete)
    }

    @Test("The selected document stays selected while more arrive")
    func arriving() {
        var model = Self.window(.open, [PickerEntry(name: "minutes.txt"), PickerEntry(name: "plan.txt")])
        model.setFilter("plan")
        #expect(model.visible == [1])
        model.select([0])
        // Now that which is selected is no longer the best match, but it stays selected.
        model.append([PickerEntry(name: "plan")], remembered: nil, isLast: true, serial: 1)
        #expect(model.selection.compactMap { model.entry(at: $0)?.name } == ["plan.txt"])
    }

    @Test("Several are chosen if that was asked for, and no folders with them")
    func several() {
        let entries = [
            PickerEntry(name: "a.txt"), PickerEntry(name: "Old", isFolder: true),
            PickerEntry(name: "b.png", isChoosable: false), PickerEntry(name: "c.txt"),
        ]
        var model = Self.window(.open, entries, multiple: true)
        model.select([3, 2, 1, 0])
        #expect(model.activate(0) == [.finish(DialogAnswer(["a.txt", "c.txt"].map(Self.folder.appending)))])
        model = Self.window(.open, entries)
        model.select([0, 3])
        #expect(model.selection == [0])
        // Only folders: that is no choice.
        model = Self.window(.open, entries + [PickerEntry(name: "New", isFolder: true)], multiple: true)
        model.select([1, 4])
        #expect(model.confirm(name: "").isEmpty)
    }

    @Test("An account that is signed out is not listed, and is named")
    func signedOut() {
        var model = WindowModel(DialogRequest(mode: .open))
        #expect(model.begin() == [.load(.accounts, serial: 1)])
        model.show(
            [PickerAccount(provider: "p", domain: "d", providerName: "P", state: "signedOut")], serial: 1)
        #expect(model.activate(0).isEmpty)
        #expect(model.notice == .signedOut(provider: "p", domain: "d"))
    }

    @Test("A folder is chosen where documents cannot be: the one that is shown, or the selected one")
    func folderMode() {
        let entries = [PickerEntry(name: "a.txt"), PickerEntry(name: "Old", isFolder: true)]
        var model = Self.window(.folder, entries)
        #expect(!model.isEnabled(0))
        #expect(model.isEnabled(1))
        #expect(model.confirm(name: "") == [.finish(DialogAnswer([Self.folder]))])
        model = Self.window(.folder, entries)
        model.select([1])
        #expect(model.confirm(name: "") == [.finish(DialogAnswer([Self.folder.appending("Old")]))])
    }
}
