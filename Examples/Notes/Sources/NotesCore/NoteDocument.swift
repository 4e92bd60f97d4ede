import Documents
import Foundation

/// A note that is open: a text of lines which several programs edit at once.
///
/// `Document` does the work: it reads and saves in coordinated accesses, takes in what others have saved, and never
/// overwrites what it has not seen. What remains for this class is what the lines mean: how they are stored, and how
/// two changes of them that met become one.
public final class NoteDocument: Document {
    /// The lines.
    public private(set) var text = NoteText()
    /// How often somebody else has changed what is shown.
    public private(set) var foreignChanges = 0
    /// Whether somebody has deleted the note; saving makes it anew.
    public private(set) var isDeleted = false
    /// Called after somebody else has changed what is shown, or deleted the note.
    public var whenChangedByOthers: (@MainActor () -> Void)?

    private var location: DocumentLocation?
    private var isLoaded = false
    /// What a save that is under way stores.
    private var beingStored: [String] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var following: Task<Void, Never>?
    private var storing: Task<Void, any Error>?

    /// Opens the note at a location, or makes an empty one where none is.
    ///
    /// - Throws: `DocumentsError`, or ``NoteProblem/noText``.
    public static func open(at location: DocumentLocation, client: DocumentsClient) async throws -> NoteDocument {
        while true {
            do {
                let picked = try await DocumentPicker(client: client).openDocument(at: location)
                let note = NoteDocument(document: picked)
                try await note.open()
                note.begin(at: location)
                return note
            } catch let error as DocumentsError where error.code == .notFound {
                let note = NoteDocument(client: client, location: location.parent, name: location.name)
                do {
                    try await note.save(for: .creating)
                    note.begin(at: location)
                    return note
                } catch let error as DocumentsError where error.code == .conflict {
                    // Somebody else has made it just now.
                }
            }
        }
    }

    private func begin(at location: DocumentLocation) {
        self.location = location
        isLoaded = true
        // What others store while something is unsaved here is merged at once; nobody has to ask for it.
        let states = states
        following = Task { [weak self] in
            for await state in states where state.contains(.inConflict) { try? await self?.store() }
        }
    }

    /// Ends following the note; unsaved lines are stored first.
    public func end() async throws {
        if text.hasUnsavedChanges { try await store() }
        following?.cancel()
        try await close()
    }

    // MARK: Editing

    /// Changes the lines.
    public func edit<Problem: Error>(_ change: (inout NoteText) throws(Problem) -> Void) throws(Problem) {
        try change(&text)
        updateChangeCount(.done)
    }

    /// Stores the lines, together with what others have stored meanwhile. When it returns, they are durable.
    ///
    /// - Throws: `DocumentsError`, when it fails for another reason than that somebody was quicker.
    public func store() async throws {
        // One after the other: each merges what the last one found.
        let before = storing
        let own = Task {
            _ = await before?.result
            try await storeNow()
        }
        storing = own
        try await own.value
    }

    private func storeNow() async throws {
        while true {
            do {
                if isDeleted, let location {
                    try await save(to: .folder(location.parent, name: location.name), for: .creating)
                    isDeleted = false
                } else if state.contains(.inConflict) {
                    try await mergeAndStore()
                } else if hasUnsavedChanges {
                    try await save()
                }
                return
            } catch let error as DocumentsError where error.code == .conflict && state.contains(.inConflict) {
                // Somebody was quicker: what they stored is merged in the next round.
            }
        }
    }

    private func mergeAndStore() async throws {
        guard let stored = try await storedContents().data else { throw NoteProblem.noText }
        if text.absorb(stored: try NoteText.lines(of: stored)) { wasChangedByOthers() }
        try await resolveConflict(keepingCurrent: false)
    }

    // MARK: What others do

    /// Waits until somebody else has changed what is shown.
    ///
    /// - Parameter count: how many of their changes are known already.
    public func foreignChange(after count: Int) async {
        while foreignChanges <= count, !isDeleted { await withCheckedContinuation { waiting.append($0) } }
    }

    private func wasChangedByOthers() {
        foreignChanges += 1
        for continuation in waiting { continuation.resume() }
        waiting = []
        whenChangedByOthers?()
    }

    // MARK: Of `Document`

    override public func load(fromContents contents: DocumentContents, ofType type: String) throws {
        guard let bytes = contents.data else { throw NoteProblem.noText }
        let loaded = NoteText(stored: try NoteText.lines(of: bytes))
        let isNew = loaded.lines != text.lines
        text = loaded
        if isLoaded, isNew { wasChangedByOthers() }
    }

    override public func contents(forType type: String) throws -> DocumentContents {
        beingStored = text.lines
        return .data(Data(NoteText.bytes(of: text.lines)))
    }

    override public func updateChangeCount(withToken token: ChangeCountToken, for operation: SaveOperation) {
        super.updateChangeCount(withToken: token, for: operation)
        text.didStore(beingStored)
    }

    override public func documentWasDeleted(unsavedContents: DocumentContents?) {
        isDeleted = true
        text.didStore([])
        wasChangedByOthers()
    }
}
