import Documents
import Foundation

/// An open note: a text of lines that several programs edit at the same time.
///
/// `Document` reads and saves in coordinated accesses, loads what others have saved, and never overwrites changes that
/// it has not seen. This class defines what the lines mean: how they are stored, and how two concurrent changes are
/// merged.
public final class NoteDocument: Document {
    /// The lines.
    public private(set) var text = NoteText()
    /// How often somebody else has changed the visible text.
    public private(set) var foreignChanges = 0
    /// Whether somebody has deleted the note; saving creates it again.
    public private(set) var isDeleted = false
    /// Called after somebody else has changed the visible text or deleted the note.
    public var whenChangedByOthers: (@MainActor () -> Void)?

    private var location: DocumentLocation?
    private var isLoaded = false
    /// The lines that a running save stores.
    private var beingStored: [String] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var following: Task<Void, Never>?
    private var storing: Task<Void, any Error>?

    /// Opens the note at a location, or creates an empty one if there is none.
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
                    // Somebody else has just created it.
                }
            }
        }
    }

    private func begin(at location: DocumentLocation) {
        self.location = location
        isLoaded = true
        // Changes by others are merged with unsaved lines at once; the user need not be asked.
        let states = states
        following = Task { [weak self] in
            for await state in states where state.contains(.inConflict) { try? await self?.store() }
        }
    }

    /// Stops following the note, after saving unsaved lines.
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

    /// Saves the lines, merged with what others have saved meanwhile. They are durable when this returns.
    ///
    /// - Throws: `DocumentsError`, when it fails for another reason than a concurrent save.
    public func store() async throws {
        // One after the other: each save merges what the previous one found.
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
                // Somebody else saved first: their changes are merged in the next round.
            }
        }
    }

    private func mergeAndStore() async throws {
        guard let stored = try await storedContents().data else { throw NoteProblem.noText }
        if text.absorb(stored: try NoteText.lines(of: stored)) { wasChangedByOthers() }
        try await resolveConflict(keepingCurrent: false)
    }

    // MARK: What others do

    /// Waits until somebody else has changed the visible text.
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

    // MARK: Overrides of `Document`

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
