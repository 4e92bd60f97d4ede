import Documents
import Testing

@testable import TerminalPicker

/// Requests of programs.
@Suite struct PickerRequestTests {
    private static func task() -> PickerTask {
        var task = PickerTask(title: "A program asks for a document", verb: "open")
        task.asker = PickerAsker(
            identifier: "A", client: "org.example.Editor", strength: "enforced", process: 7,
            reason: "pay \"me\" \u{1B}[2J now", mayWrite: true, companions: ["{stem}.srt"])
        task.commits = true
        return task
    }

    private static func state() -> PickerState { PickerSamples.shown(task()) }

    private static func armed(_ state: inout PickerState) { _ = state.handle(.armed(serial: state.armSerial)) }

    @Test("The confirming key counts only after it has been visible, each time anew")
    func arming() {
        var state = Self.state()
        state.type("minutes")
        #expect(state.type(.enter).isEmpty && state.panel == .list)
        Self.armed(&state)
        #expect(state.type(.enter) == [.arm(serial: state.armSerial)])
        guard case .confirm = state.panel else { return #expect(Bool(false)) }
        #expect(state.type(.enter).isEmpty && state.type(.character("y")).isEmpty)
        _ = state.handle(.armed(serial: state.armSerial - 1))
        #expect(state.type(.enter).isEmpty, "an earlier half second does not count")
        Self.armed(&state)
        #expect(state.type(.enter).contains { if case .commit = $0 { true } else { false } })
    }

    @Test("The person narrows to reading, changes how long, and grants companions; a program cannot be given more")
    func terms() {
        var state = Self.state()
        Self.armed(&state)
        state.type("minutes")
        state.type(.enter, .character("r"), .character("t"), .character("c"))
        #expect(state.terms == PickerTerms(isReadOnly: true, lifetime: .program, hasCompanions: true))
        Self.armed(&state)
        let effects = state.type(.enter)
        guard case .commit(.items(_, let terms), let serial)? = effects.last else { return #expect(Bool(false)) }
        #expect(terms == state.terms)
        #expect(state.handle(.worked(serial: serial)).contains { if case .finish = $0 { true } else { false } })

        var task = Self.task()
        task.asker?.mayWrite = false
        task.asker?.companions = []
        state = PickerSamples.shown(task)
        #expect(state.terms.isReadOnly)
        Self.armed(&state)
        state.type("minutes")
        state.type(.enter, .character("r"), .character("c"))
        #expect(state.terms.isReadOnly && !state.terms.hasCompanions)
    }

    @Test("An answer that the daemon refuses is shown, and can be given again")
    func refusedAnswer() {
        var state = Self.state()
        Self.armed(&state)
        state.type("minutes")
        state.type(.enter)
        Self.armed(&state)
        state.type(.enter)
        // While the answer is checked, the daemon does not list the request.
        #expect(state.handle(.requests(isWaiting: false, others: 0)).isEmpty)
        _ = state.handle(.failed(DocumentsError(.unavailable, "The provider is gone."), serial: state.workSerial))
        #expect(state.type(.character("r")).contains { if case .commit = $0 { true } else { false } })
    }

    @Test("Refusing asks once more; a request that nobody waits for ends the picker")
    func refusing() {
        var state = Self.state()
        #expect(state.type(.control("x")) == [.arm(serial: state.armSerial)])
        #expect(state.type(.character("y")).isEmpty)
        Self.armed(&state)
        #expect(state.type(.character("y")) == [.finish(.refused)])
        state = Self.state()
        #expect(state.handle(.requests(isWaiting: true, others: 3)).isEmpty)
        #expect(state.handle(.requests(isWaiting: false, others: 3)) == [.finish(.withdrawn)])
    }

    @Test("A flood of other requests is one line, and takes neither the keys nor the list")
    func flood() {
        var state = Self.state()
        state.type("min")
        let before = PickerSamples.text(state)
        _ = state.handle(.requests(isWaiting: true, others: 4711))
        let after = PickerSamples.text(state)
        #expect(after.filter { $0.contains("4711 other requests wait.") }.count == 1)
        #expect(state.listing.filter.text == "min" && state.panel == .list)
        #expect(after.count == before.count)
    }

    @Test("The program's words stand between quotation marks, on one line, and control nothing")
    func words() {
        let lines = PickerSamples.text(Self.state())
        #expect(lines[1] == "org.example.Editor (enforced, process 7) asks to change it")
        #expect(lines[2] == #"  It says: "pay \x22me\x22 \x1B[2J now""#)
        var task = Self.task()
        task.asker?.reason = String(repeating: "y to give it ", count: 200)
        let long = PickerSamples.text(PickerSamples.shown(task))
        #expect(long.count == 24 && long[2].count < 80 && long[2].hasSuffix("…\""))
        #expect(long.last?.contains("^C cancel") == true, "it pushes no key off the screen")
    }
}
