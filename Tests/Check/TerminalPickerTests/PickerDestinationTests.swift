import Documents
import Testing

@testable import TerminalPicker

/// Export and move: a folder and a name.
@Suite struct PickerDestinationTests {
    private static func state(canReplace: Bool = true) -> PickerState {
        var task = PickerTask(title: "Choose where to put a copy", verb: "export")
        task.destination = PickerTask.Destination(name: "report.pdf", size: 12, canReplace: canReplace)
        return PickerSamples.shown(task)
    }

    private static func outcome(_ name: String, replaces: Bool = false) -> PickerEffect {
        .finish(.destination(folder: PickerSamples.folder, name: name, replaces: replaces))
    }

    @Test("The folder is the first row; its name is proposed, and looked up before it is used")
    func free() {
        var state = Self.state()
        #expect(state.listing.isOnPlace)
        state.type(.enter)
        #expect(state.panel == .name(TextField("report.pdf"), note: nil))
        state.type(.backspace)
        state.type("x")
        let effects = state.type(.enter)
        #expect(effects == [.lookUp(PickerSamples.folder.appending("report.pdx"), serial: state.workSerial)])
        #expect(state.handle(.lookedUp(nil, serial: state.workSerial)).contains(Self.outcome("report.pdx")))
    }

    @Test("What has the name is shown, and replaced only after a yes")
    func taken() {
        var state = Self.state()
        state.type(.enter, .enter)
        _ = state.handle(.lookedUp(PickerSamples.entries[1], serial: state.workSerial))
        #expect(state.panel == .replace(name: "report.pdf", PickerSamples.entries[1]))
        #expect(
            PickerSamples.text(state).contains { $0.contains("exists already. It has 12.5 kB, changed 2026-05-28") })
        #expect(state.type(.enter).isEmpty, "Enter is not a yes")
        state.type(.enter)
        _ = state.handle(.lookedUp(PickerSamples.entries[1], serial: state.workSerial))
        #expect(state.type(.character("y")).contains(Self.outcome("report.pdf", replaces: true)))
    }

    @Test("Where nothing can be replaced, and for a folder, another name is asked for", arguments: [true, false])
    func refused(isFolder: Bool) {
        var state = Self.state(canReplace: isFolder)
        state.type(.enter, .enter)
        _ = state.handle(
            .lookedUp(isFolder ? PickerSamples.entries[0] : PickerSamples.entries[1], serial: state.workSerial))
        guard case .name(_, let note) = state.panel else { return #expect(Bool(false)) }
        #expect(note != nil)
    }

    @Test("A name that is none is refused", arguments: ["", " ", "a/b", ".", ".."])
    func names(_ name: String) {
        var state = Self.state()
        state.type(.enter, .control("u"))
        state.type(name)
        #expect(state.type(.enter).isEmpty)
        guard case .name(_, let note) = state.panel else { return #expect(Bool(false)) }
        #expect(note != nil)
    }

    @Test("A new folder is made and entered; a failure leaves the list")
    func newFolder() {
        var state = Self.state()
        state.type(.control("n"))
        state.type("July")
        #expect(
            state.type(.enter) == [
                .makeFolder(PickerSamples.folder, name: "July", serial: state.workSerial)
            ])
        let made = state.handle(.madeFolder(name: "July", serial: state.workSerial))
        #expect(made.contains(.list(PickerSamples.folder.appending("July"), serial: state.listing.serial)))
        state = Self.state()
        state.type(.control("n"))
        state.type("July")
        state.type(.enter)
        _ = state.handle(.failed(DocumentsError(.conflict, "It exists."), serial: state.workSerial))
        guard case .problem(let problem) = state.panel else { return #expect(Bool(false)) }
        #expect(!problem.canRetry)
        state.type(.escape)
        #expect(state.panel == .list)
    }

    @Test("Enter on a document proposes its name")
    func existing() {
        var state = Self.state()
        state.type("minutes")
        state.type(.enter)
        #expect(state.panel == .name(TextField("minutes.txt"), note: nil))
    }
}
