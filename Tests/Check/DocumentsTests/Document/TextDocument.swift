import FoundationEssentials

@testable import Documents

/// A document that is one text.
final class TextDocument: Document {
    var text = ""
    var log: [String] = []
    var isBroken = false

    static func made(in store: DocumentModelStore) -> TextDocument {
        CoordinatedStore.$substitute.withValue(store) { TextDocument(document: store.document()) }
    }

    static func new(_ name: String, in store: DocumentModelStore) throws -> TextDocument {
        let folder = try DocumentLocation("Cloud:/")
        return CoordinatedStore.$substitute.withValue(store) {
            TextDocument(client: store.client, location: folder, name: name)
        }
    }

    override func load(fromContents contents: DocumentContents, ofType type: String) throws {
        if isBroken { throw DocumentsError(.failed, "This is no text.") }
        text = String(decoding: contents.data ?? Data(), as: UTF8.self)
        log.append("load \(text)")
    }

    override func contents(forType type: String) throws -> DocumentContents {
        if isBroken { throw DocumentsError(.failed, "There is nothing to write.") }
        return .data(Data(text.utf8))
    }

    override func disableEditing() { log.append("disable") }
    override func enableEditing() { log.append("enable") }

    override func documentWasDeleted(unsavedContents: DocumentContents?) {
        log.append("deleted \(unsavedContents?.data.map { String(decoding: $0, as: UTF8.self) } ?? "-")")
    }

    override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        log.append("error \(userInteractionPermitted)")
        super.handleError(error, userInteractionPermitted: userInteractionPermitted)
    }

    /// An edit by the user.
    func edit(_ text: String) {
        self.text = text
        updateChangeCount(.done)
    }
}

/// Waits until a condition holds, however slow the machine is.
@MainActor
func eventually(_ condition: @MainActor () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}
