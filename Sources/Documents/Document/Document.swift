import UniformTypes

/// A document that is open in a program, together with its place in a provider: what `UIDocument` is.
///
/// A subclass overrides ``load(fromContents:ofType:)`` and ``contents(forType:)`` (M1) and calls ``updateChangeCount(_:)`` with
/// every edit, or gives the document an ``undoManager``. The document does the rest: it reads and saves in coordinated accesses
/// that never block the main actor (M2), saves by itself after a pause and whenever somebody else wants to read, follows changes
/// and moves that others make, and never overwrites what it has not seen: where two changes meet, both are kept
/// (``State/inConflict``).
///
/// It holds its own access from ``open()`` or creation to ``close(discardingUnsavedChanges:)`` (X5, G11). Nobody else keeps it alive:
/// what is unsaved when it goes without having been closed is lost. Several documents for one item in one process work (2.9).
///
/// All of it lives on the main actor, which the program has to drain; ``MainActorLoop`` does that in a program whose main loop is
/// not Swift's. Every failure is thrown to whoever asked, and given to ``handleError(_:userInteractionPermitted:)``.
@MainActor
open class Document: nonisolated FilePresenter {
    /// The session through which it is reached.
    public nonisolated let client: DocumentsClient
    nonisolated let store: any DocumentStore
    nonisolated let presented: PresentedPlace
    nonisolated let stateChanges = Broadcast<State>()
    nonisolated let progressReports = Broadcast<DownloadProgress>()
    let queue = FileAccessQueue()
    let relinquished = Relinquishment()

    enum Phase { case closed, opening, open }
    var phase = Phase.closed { didSet { updateState() } }
    /// The document in the provider, with the right to it; nil until it has been created.
    public internal(set) var document: SecurityScopedDocument?
    /// Where it is to be created.
    var target: SaveTarget?
    /// As it was last read or saved.
    var item: DocumentItem? { didSet { updateState() } }
    /// What is stored instead of what this document is based on.
    var diverged: DocumentItem? {
        didSet {
            if diverged == nil { dropKept() }
            updateState()
        }
    }
    /// What ``storedContents()`` gave last, since the contents were last read or saved: what a decision refers to.
    var seen: DocumentItem?
    /// Holds this side of a conflict, in case this process ends.
    var kept: (any KeptContents)?
    var dropping: Task<Void, Never>?
    /// Versions that are kept beside the current one because two changes met, by their names, as this document was told of them.
    public internal(set) var conflictVersions: [String] = [] { didSet { updateState() } }
    var acceptedConflicts = 0 { didSet { updateState() } }
    var hasSavingError = false { didSet { updateState() } }
    var disabledCount = 0 { didSet { updateState() } }
    var isFetching = false { didSet { updateState() } }
    var readCount = 0
    var isReverting = false
    var changes = ChangeCount()
    var autosaveTimer: Task<Void, Never>?
    var waitingAccess: AccessCancellation?
    var refreshTask: Task<Void, Never>?
    var mustRefreshAgain = false
    var wasDeletedWhileOpening = false
    /// What the documents of this program are saving for others now.
    static var savedForOthers: Set<DocumentReference> = []

    /// A document that is there.
    public init(document: SecurityScopedDocument) {
        self.document = document
        client = document.client
        store = CoordinatedStore.current(document.client)
        presented = PresentedPlace(DocumentPlace(document.reference))
    }

    /// A document that is to be created in a folder to which the client has the right, by ``save(to:for:)`` with `creating`.
    public init(client: DocumentsClient, place: DocumentPlace) {
        target = .place(place)
        self.client = client
        store = CoordinatedStore.current(client)
        presented = PresentedPlace(nil)
    }

    /// A document that is to be created in a folder that the user has chosen, by ``save(to:for:)`` with `creating` (C11).
    public init(client: DocumentsClient, location folder: DocumentLocation, name: String) {
        target = .folder(folder, name: name)
        self.client = client
        store = CoordinatedStore.current(client)
        presented = PresentedPlace(nil)
    }

    // MARK: For subclasses

    /// Takes contents in, on opening and whenever newer ones have arrived. The default takes nothing.
    ///
    /// - Parameters:
    ///   - contents: data, or a file wrapper for a package.
    ///   - type: the document's uniform type identifier.
    /// - Throws: what is wrong with them; opening fails with it, or what was loaded before stays.
    open func load(fromContents contents: DocumentContents, ofType type: String) throws {}

    /// The contents as they are to be stored now: a snapshot, because editing goes on while it is written.
    ///
    /// - Throws: why there are none; the save fails with it. The default has none.
    open func contents(forType type: String) throws -> DocumentContents {
        throw DocumentsError(
            .notSupported, "This kind of document cannot be saved.",
            suggestion: "Its class has to override contents(forType:).")
    }

    /// What is to be stored beside the contents (K10). The default: nothing.
    open func fileAttributesToWrite(for operation: SaveOperation) throws -> DocumentAttributes { DocumentAttributes() }

    /// Somebody has deleted the document; it is closed now.
    ///
    /// - Parameter unsavedContents: what was not saved yet; nil if everything was. Offer the user to save it elsewhere.
    open func documentWasDeleted(unsavedContents: DocumentContents?) {}

    /// The contents are about to be replaced; edits would be lost until ``enableEditing()``. The default does nothing.
    open func disableEditing() {}

    /// The contents may be edited again. The default does nothing.
    open func enableEditing() {}

    /// Something has failed, also in a save that nobody asked for. Call ``finishedHandlingError(_:recovered:)`` when done, which
    /// is all that the default does.
    ///
    /// - Parameter userInteractionPermitted: whether this is the time for a dialog; not while somebody else waits for a save
    ///   (2.9, deadlock 7).
    open func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        finishedHandlingError(error, recovered: false)
    }

    /// Ends handling an error.
    ///
    /// - Parameter recovered: whether what caused it is gone; saving is tried again soon then.
    open func finishedHandlingError(_ error: any Error, recovered: Bool) {
        guard recovered else { return }
        hasSavingError = false
        scheduleAutosave()
    }

    // MARK: What it is

    /// The uniform type identifier; of a new document, that of its name. It may change as others move the document.
    open var fileType: String? {
        if let item { return item.contentType }
        return target?.name.map { UniformTypeRegistry.system().type(fileName: $0).identifier }
    }

    /// The type as which it is saved. The default is ``fileType``, or any data.
    open var savingFileType: String { fileType ?? "public.data" }

    /// The usual file name extension of a type, without the dot; nil where it has none.
    open func fileNameExtension(forType type: String) -> String? {
        UniformType(type).flatMap { UniformTypeRegistry.system().preferredFilenameExtension(of: $0) }
    }

    /// The file's name as people are shown it: without its extension.
    open var localizedName: String {
        let name = item?.name ?? target?.name ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// Seconds since 1970-01-01 UTC, as it was last read or saved.
    public var fileModificationDate: Double? { item?.modificationDate }

    /// Changes whenever what is stored does; as it was last read or saved.
    public var fileVersion: String? { item?.version }

    /// What it is like now.
    public internal(set) var state: State = .closed

    /// What it is like: now, and each time that it changes, until the document goes.
    public var states: AsyncStream<State> { stateChanges.stream(first: state) }

    /// How far fetching the document is, each time that it is told, until the document goes. To be asked for before ``open()``.
    public nonisolated var progress: AsyncStream<DownloadProgress> { progressReports.stream() }

    /// How long unsaved changes wait before they are saved by themselves, counted from the first of them (M6); 30 seconds. Takes
    /// effect with the next change after a save.
    public var autosavingInterval: Duration = .seconds(30)

    // MARK: Changes

    /// Whether there is anything that is not saved.
    open var hasUnsavedChanges: Bool { changes.hasUnsavedChanges }

    /// Counts a change (M6).
    open func updateChangeCount(_ kind: ChangeKind) {
        changes.record(kind)
        scheduleAutosave()
    }

    /// What has been counted until now, for a save that begins.
    open func changeCountToken(for operation: SaveOperation) -> ChangeCountToken {
        ChangeCountToken(mark: changes.mark)
    }

    /// What had been counted then is saved; later changes are not.
    open func updateChangeCount(withToken token: ChangeCountToken, for operation: SaveOperation) {
        changes.save(token.mark)
    }

    /// Where changes come from, if the program has an undo manager.
    public var undoManager: (any DocumentUndoManager)? {
        didSet {
            oldValue?.changeHandler = nil
            undoManager?.changeHandler = { [weak self] kind in self?.updateChangeCount(kind) }
        }
    }

    // MARK: Opening and saving

    /// Reads the document and begins to present it.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted`, `notFound`, `unavailable`, `invalidArgument` for a document that is open or
    ///   has not been created; or what ``load(fromContents:ofType:)`` throws.
    open func open() async throws { try await performOpening() }

    /// Saves the document. Everything but ``contents(forType:)`` happens off the main actor, in one coordinated write; before it
    /// returns, the change is durable.
    ///
    /// - Parameters:
    ///   - target: for `creating`, where; the default is where it was made for. A document that was open elsewhere goes on in the
    ///     new place.
    ///   - operation: whether it is there already.
    /// - Throws: ``DocumentsError``: `conflict` when something else has been stored meanwhile (the state is
    ///   ``State/inConflict`` then, and nothing was overwritten) or, creating, when something of that name is there; or why it
    ///   cannot be written.
    open func save(to target: SaveTarget? = nil, for operation: SaveOperation = .overwriting) async throws {
        try await performSaving(to: target, for: operation)
    }

    /// Saves if there is anything to save. Called by itself ``autosavingInterval`` after a change.
    open func autosave() async throws {
        guard hasUnsavedChanges, phase == .open, diverged == nil else { return }
        try await overwrite(.byItself)
    }

    /// Saves what is unsaved, ends presenting and lets go of the document.
    ///
    /// - Parameter discardingUnsavedChanges: drops them instead.
    /// - Throws: why it could not be saved. It stays open then.
    open func close(discardingUnsavedChanges: Bool = false) async throws {
        try await performClosing(discarding: discardingUnsavedChanges)
    }

    /// Drops what is unsaved and takes in what is stored.
    ///
    /// - Parameter other: takes in the contents of that document instead, as an edit of this one.
    /// - Throws: as ``open()``; what was loaded before stays.
    open func revert(toContentsOf other: SecurityScopedDocument? = nil) async throws {
        try await performReverting(to: other)
    }

    /// Runs work on the document's files, in its turn among the document's own reads and saves, off the main actor.
    ///
    /// It must not wait for this document to be opened, saved or closed, which would wait for it.
    public func performAsynchronousFileAccess<Result: Sendable>(
        _ work: @concurrent @Sendable () async throws -> Result
    ) async rethrows -> Result {
        try await queue.run { try await work() }
    }

    // MARK: Conflicts

    /// What is stored now, for comparing or merging it with what is here in a conflict. ``resolveConflict(keepingCurrent:)``
    /// refers to this afterwards.
    public func storedContents() async throws -> DocumentContents { try await readStoredContents() }

    /// Ends a conflict (O5).
    ///
    /// - Parameter keepingCurrent: what is stored now stays the document, and changes of this one are dropped; else the contents
    ///   of this one replace what is stored.
    /// - Throws: ``DocumentsError`` `conflict` when yet something else has been stored since the conflict was found; or why reading
    ///   or saving fails.
    public func resolveConflict(keepingCurrent: Bool) async throws {
        try await endConflict(keepingCurrent: keepingCurrent)
    }
}
