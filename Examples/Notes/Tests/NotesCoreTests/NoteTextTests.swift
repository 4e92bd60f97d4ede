import NotesCore
import Testing

/// Lines and bytes, and the commands of the editor.
@Suite struct NoteTextTests {
    @Test(
        "a file is read as lines and written back, with a line feed after each",
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb\n", ["a", "", "b"]),
            ("ä\r\nb", ["ä\r", "b"]),
        ] as [(String, [String])])
    func bytes(text: String, lines: [String]) throws {
        #expect(try NoteText.lines(of: Array(text.utf8)) == lines)
        #expect(try NoteText.lines(of: NoteText.bytes(of: lines)) == lines)
    }

    @Test("a file that is no text is refused, so that it is not destroyed")
    func noText() {
        #expect(throws: NoteProblem.noText) { try NoteText.lines(of: [0x89, 0x50, 0xFF, 0xFE]) }
    }

    @Test("lines are counted from 1, and only existing ones can be edited")
    func editing() throws {
        var text = NoteText(stored: ["a", "b"])
        try text.edit(2, "B")
        try text.delete(1)
        text.append("c")
        #expect(text.lines == ["B", "c"] && text.hasUnsavedChanges && text.stored == ["a", "b"])
        for number in [0, 3, -1] {
            #expect(throws: NoteProblem.noSuchLine(number, of: 2)) { try text.edit(number, "x") }
            #expect(throws: NoteProblem.noSuchLine(number, of: 2)) { try text.delete(number) }
        }
        text.didStore(["B", "c"])
        #expect(!text.hasUnsavedChanges)
    }

    @Test("a line written during a save is merged with what others save next")
    func writtenWhileStoring() {
        var text = NoteText(stored: ["a"])
        text.append("b")
        let saving = text.lines
        text.append("c")
        text.didStore(saving)
        #expect(text.hasUnsavedChanges)
        let isChanged = text.absorb(stored: ["a", "b", "theirs"])
        #expect(isChanged && text.lines == ["a", "b", "theirs", "c"])
    }

    @Test(
        "commands are read as typed",
        arguments: [
            ("append hello  world", .append("hello  world")), ("append", .append("")),
            ("edit 2 new text", .edit(2, "new text")),
            ("edit 2", .edit(2, "")), ("delete 3", .delete(3)), ("show", .show), ("save", .save), ("wait", .wait),
            ("quit", .quit),
        ] as [(String, NoteCommand)])
    func commands(text: String, command: NoteCommand) throws { #expect(try NoteCommand(text) == command) }

    @Test(
        "an invalid command is reported",
        arguments: ["", "edit", "edit two x", "delete", "delete x", "show 1", "sav", " save"])
    func noCommand(text: String) { #expect(throws: NoteProblem.noCommand(text)) { try NoteCommand(text) } }
}
