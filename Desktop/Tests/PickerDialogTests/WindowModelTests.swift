import Documents
import PickerDialog
import TerminalPicker
import Testing

@Suite("What the window shows, and what a click means")
struct WindowModelTests {
    private static let folder = DocumentLocation(provider: "org.example.Provider", path: "/Papers")

    /// A window that shows a folder with these entries.
    private func window(
        _ mode: DialogRequest.Mode, _ entries: [PickerEntry], isArmed: Bool = true
    ) -> WindowModel {
        var request = DialogRequest(mode: mode)
        request.currentFolder = Self.folder
        var model = WindowModel(request)
        #expect(model.begin() == [.load(.folder(Self.folder), serial: 1)])
        model.append(entries, remembered: nil, isLast: true, serial: 1)
        if isArmed { model.arm() }
        return model
    }

    @Test("Only documents of the asked types can be chosen")
    func dimmed() {
        var model = window(
            .open, [PickerEntry(name: "a.txt"), PickerEntry(name: "b.png", isChoosable: false)])
        #expect(model.isEnabled(0))
        #expect(!model.isEnabled(1))
        model.select(1)
        #expect(!model.canConfirm)
        #expect(model.activate(1).isEmpty)
        #expect(model.activate(0) == [.finish(DialogAnswer(location: Self.folder.appending("a.txt")))])
    }

    @Test("What was typed for another window confirms nothing")
    func arming() {
        var model = window(.open, [PickerEntry(name: "a.txt")], isArmed: false)
        model.select(0)
        #expect(!model.canConfirm)
        #expect(model.confirm(name: "").isEmpty)
        #expect(model.activate(0).isEmpty)
        model.arm()
        #expect(model.canConfirm)
    }

    @Test("A folder is entered, and the way leads back to the accounts")
    func walking() {
        var model = window(.open, [PickerEntry(name: "Old", isFolder: true)])
        #expect(model.activate(0) == [.load(.folder(Self.folder.appending("Old")), serial: 2)])
        #expect(model.up() == [.load(.folder(Self.folder), serial: 3)])
        #expect(model.up() == [.load(.folder(Self.folder.parent), serial: 4)])
        #expect(model.up() == [.load(.accounts, serial: 5)])
        #expect(model.up().isEmpty)
    }

    @Test("Replies to what is no longer shown are ignored")
    func lateReplies() {
        var model = window(.open, [PickerEntry(name: "Old", isFolder: true)])
        _ = model.activate(0)
        model.append([PickerEntry(name: "late")], remembered: nil, isLast: true, serial: 1)
        model.failed(DocumentsError(.unavailable, "late"), serial: 1)
        #expect(model.entries.isEmpty)
        #expect(model.notice == nil)
        #expect(!model.isComplete)
    }

    @Test("The filter keeps the selected document while more arrive")
    func filtering() {
        var model = window(.open, [PickerEntry(name: "minutes.txt"), PickerEntry(name: "plan.txt")])
        model.setFilter("plan")
        #expect(model.visible == [1])
        model.select(0)
        // Now that which is selected is no longer the best match, but it stays selected.
        model.append([PickerEntry(name: "plan")], remembered: nil, isLast: true, serial: 1)
        #expect(model.selection.flatMap { model.entry(at: $0) }?.name == "plan.txt")
    }

    @Test("Saving asks before it replaces a document, and replaces no folder")
    func saving() {
        let location = Self.folder.appending("a.txt")
        var model = window(.save, [])
        for name in ["", " ", "..", "a/b"] {
            #expect(model.confirm(name: name).isEmpty)
            #expect(model.notice == .badName)
        }
        #expect(model.confirm(name: "a.txt") == [.lookUp(location, serial: 2)])
        #expect(!model.canConfirm)
        #expect(model.lookedUp(PickerEntry(name: "a.txt", isFolder: true), at: location, serial: 2).isEmpty)
        #expect(model.notice == .folderHasName("a.txt"))
        #expect(model.replace().isEmpty)
        #expect(model.confirm(name: "a.txt") == [.lookUp(location, serial: 3)])
        #expect(model.lookedUp(PickerEntry(name: "a.txt"), at: location, serial: 3).isEmpty)
        #expect(model.replace() == [.finish(DialogAnswer(location: location, replaces: true))])
        #expect(model.cancel().isEmpty)
    }

    @Test("A free name is an answer at once")
    func freeName() {
        var model = window(.save, [])
        let location = Self.folder.appending("b.txt")
        #expect(model.confirm(name: "b.txt") == [.lookUp(location, serial: 2)])
        // The folder is still being listed meanwhile.
        model.append([PickerEntry(name: "c.txt")], remembered: nil, isLast: true, serial: 1)
        #expect(model.entries.count == 1)
        #expect(model.lookedUp(nil, at: location, serial: 2) == [.finish(DialogAnswer(location: location))])
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

    @Test("A folder is chosen where documents cannot be")
    func folderMode() {
        var model = window(.folder, [PickerEntry(name: "a.txt"), PickerEntry(name: "Old", isFolder: true)])
        #expect(!model.isEnabled(0))
        #expect(model.isEnabled(1))
        #expect(model.confirm(name: "") == [.finish(DialogAnswer(location: Self.folder))])
    }
}
