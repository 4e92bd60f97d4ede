import Documents
import Foundation

/// A document with one text, for tests that kill its program.
final class ProbeDocument: Document {
    private var text = ""

    override func load(fromContents contents: DocumentContents, ofType type: String) throws {
        text = String(decoding: contents.data ?? Data(), as: UTF8.self)
    }

    override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }

    /// Opens a document, edits it and reports a conflict; stays open until the program ends.
    static func run(_ command: ProbeCommand, _ probe: ProbeState) async throws {
        let picked = try await DocumentPicker(client: probe.client).openDocument(at: try DocumentLocation(command[0]))
        let document = ProbeDocument(document: picked)
        try await document.open()
        document.text = command[1]
        document.updateChangeCount(.done)
        probe.tell(command.id, "edited")
        for await state in document.states where state.contains(.inConflict) {
            probe.tell(command.id, "conflict")
        }
    }
}
