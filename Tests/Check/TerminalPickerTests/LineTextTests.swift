import Documents
import Testing

@testable import TerminalPicker

/// Terminals that cannot move their cursor.
@Suite struct LineTextTests {
    @Test("A folder is a numbered list with a question below it")
    func list() {
        #expect(
            LineText(PickerSamples.shown()).text == """
                Choose a document
                org.docent.LocalFolder:/Papers 4
                   1  Archive/
                   2  minutes.txt (12.5 kB)
                   3  photo.png (4.2 MB, another type)
                   4  remote.txt (999 B, will be downloaded)
                Number, /text, //text in all accounts, .. for the one above, ?, q: 
                """)
    }

    @Test("A number chooses, text after a slash filters, dots go up, q ends, and anything else says so")
    func answers() {
        var state = PickerSamples.shown()
        _ = state.handle(.line("/min"))
        #expect(state.listing.count == 1)
        let effects = state.handle(.line(" 1 "))
        #expect(effects.contains { if case .finish(.items) = $0 { true } else { false } })
        state = PickerSamples.shown()
        for wrong in ["0", "5", "99999999999999999999", "-1", "xyzzy", "m 9"] {
            #expect(state.handle(.line(wrong)).isEmpty, "\(wrong)")
        }
        #expect(state.handle(.line("..")).contains { if case .list = $0 { true } else { false } })
        #expect(state.handle(.line("q")) == [.finish(.cancelled)])
    }

    @Test("More rows than the terminal has are shown in pages, and keep their numbers")
    func pages() {
        var state = PickerSamples.shown(PickerSamples.open, (1...50).map { PickerEntry(name: "document \($0)") })
        #expect(LineText(state).text.contains("more: +"))
        _ = state.handle(.line("+"))
        #expect(LineText(state).text.contains("  20  document 20"))
        #expect(!LineText(state).text.contains("   1  document 1 "))
        #expect(state.handle(.line("50")).contains { if case .finish = $0 { true } else { false } })
    }

    @Test("Marks, names and questions are answered with lines")
    func questions() {
        var task = PickerSamples.open
        task.allowsSeveral = true
        var state = PickerSamples.shown(task)
        _ = state.handle(.line("m 4"))
        _ = state.handle(.line("m 2"))
        #expect(LineText(state).text.contains("* minutes.txt"))
        guard case .finish(.items(let items, _))? = state.handle(.line("ok")).last else { return #expect(Bool(false)) }
        #expect(items.count == 2)

        task = PickerTask(title: "Put", verb: "export")
        task.destination = PickerTask.Destination(name: "a.pdf", canReplace: true)
        state = PickerSamples.shown(task)
        _ = state.handle(.line("."))
        #expect(LineText(state).text.hasSuffix("Name [a.pdf], - to go back: "))
        _ = state.handle(.line(""))
        _ = state.handle(.lookedUp(PickerSamples.entries[1], serial: state.workSerial))
        #expect(state.handle(.line("yesterday")).isEmpty && state.message != nil)
        #expect(state.handle(.line("y")).contains { if case .finish = $0 { true } else { false } })
    }

    @Test("An empty line confirms nothing")
    func confirming() {
        var task = PickerTask(title: "A program asks", verb: "open")
        task.asker = PickerAsker(identifier: "A", client: "c", strength: "stated")
        var state = PickerSamples.shown(task)
        _ = state.handle(.line("2"))
        #expect(state.panel == .list, "not yet armed")
        _ = state.handle(.armed(serial: state.armSerial))
        _ = state.handle(.line("2"))
        #expect(LineText(state).isWaiting)
        _ = state.handle(.armed(serial: state.armSerial))
        #expect(!LineText(state).isWaiting)
        _ = state.handle(.line(""))
        #expect(state.panel == .list)
    }
}
