import UniformTypes

/// A document that is open in a program, together with its place in a provider. It corresponds to `UIDocument`.
///
/// A subclass overrides ``load(fromContents:ofType:)`` and ``contents(forType:)``, and calls ``updateChangeCount(_:)``
/// after every edit or gives the document an ``undoManager``. The document does the rest. It reads and saves in
/// coordinated accesses that never block the main actor, saves automatically after a pause and whenever others want to
/// read, and follows changes and moves by others. It never overwrites contents that it has not seen: when two changes
/// conflict, both are kept (``State/inConflict``).
///
/// It holds its own access from ``open()`` or creation until ``close(discardingUnsavedChanges:)``. The program must
/// keep it alive: unsaved changes are lost when it is deallocated without having been closed. A process may have
/// several documents for the same item.
///
/// The document lives on the main actor, which the program must run; ``MainActorLoop`` does this when the main loop is
/// not Swift's. Every failure is thrown to the caller and passed to ``handleError(_:userInteractionPermitted:)``.
@MainActor
open class Document: nonisolated FilePresenter {
    /// The session that gives access to the document.
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
    /// Where to create it.
    var target: SaveTarget?
    /// The item as last read or saved.
    var item: DocumentItem? { didSet { updateState() } }
    /// The stored item, when it is not the one that the contents here are based on.
    var diverged: DocumentItem? {
        didSet {
            if diverged == nil { dropKept() }
            updateState()
        }
    }
    /// The item of the last ``storedContents()`` since the contents were read or saved; a decision refers to it.
    var seen: DocumentItem?
    /// Holds the unsaved side of a conflict, in case this process ends.
    var kept: (any KeptContents)?
    var dropping: Task<Void, Never>?
    /// The names of the conflicting versions that are kept beside the current one, as far as this document was notified
    /// of them.
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
    /// The items that documents of this program are currently saving for others.
    static var savedForOthers: Set<DocumentReference> = []

    /// Creates an object for an existing document.
    public init(document: SecurityScopedDocument) {
        self.document = document
        client = document.client
        store = CoordinatedStore.current(document.client)
        presented = PresentedPlace(DocumentPlace(document.reference))
    }

    /// Creates an object for a new document in a folder that the client has a right to. ``save(to:for:)`` with
    /// `creating` creates the document.
    public init(client: DocumentsClient, place: DocumentPlace) {
        target = .place(place)
        self.client = client
        store = CoordinatedStore.current(client)
        presented = PresentedPlace(nil)
    }

    /// Creates an object for a new document in a folder that the user has chosen. ``save(to:for:)`` with `creating`
    /// creates the document.
    public init(client: DocumentsClient, location folder: DocumentLocation, name: String) {
        target = .folder(folder, name: name)
        self.client = client
        store = CoordinatedStore.current(client)
        presented = PresentedPlace(nil)
    }

    // MARK: For subclasses

    /// Loads contents, on opening and whenever newer ones arrive. The default does nothing.
    ///
    /// - Parameters:
    ///   - contents: data, or a file wrapper for a package.
    ///   - type: the document's uniform type identifier.
    /// - Throws: an error when the contents are invalid. Opening fails with it; otherwise the previous contents stay.
    open func load(fromContents contents: DocumentContents, ofType type: String) throws {}

    /// A snapshot of the contents to store; editing continues while it is written.
    ///
    /// - Throws: an error when there are no contents; the save fails with it. The default always throws.
    open func contents(forType type: String) throws -> DocumentContents {
        throw DocumentsError(
            .notSupported, "This kind of document cannot be saved.",
            suggestion: "Its class must override contents(forType:).")
    }

    /// The attributes to store with the contents. The default is none.
    open func fileAttributesToWrite(for operation: SaveOperation) throws -> DocumentAttributes { DocumentAttributes() }

    /// Called when someone has deleted the document, which is now closed.
    ///
    /// - Parameter unsavedContents: contents that were not saved; nil if there were none. Offer to save them elsewhere.
    open func documentWasDeleted(unsavedContents: DocumentContents?) {}

    /// Called before the contents are replaced; edits made before ``enableEditing()`` would be lost. The default does
    /// nothing.
    open func disableEditing() {}

    /// Called when the contents may be edited again. The default does nothing.
    open func enableEditing() {}

    /// Called after every failure, including those of automatic saves. Call ``finishedHandlingError(_:recovered:)``
    /// when done; the default does only that.
    ///
    /// - Parameter userInteractionPermitted: whether a dialog may be shown; false while someone else waits for a save.
    open func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        finishedHandlingError(error, recovered: false)
    }

    /// Ends handling an error.
    ///
    /// - Parameter recovered: whether the cause is gone; if so, saving is soon retried.
    open func finishedHandlingError(_ error: any Error, recovered: Bool) {
        guard recovered else { return }
        hasSavingError = false
        scheduleAutosave()
    }

    // MARK: Properties

    /// The uniform type identifier; for a new document, the one for its name. It may change when others move the
    /// document.
    open var fileType: String? {
        if let item { return item.contentType }
        return target?.name.map { UniformTypeRegistry.system().type(fileName: $0).identifier }
    }

    /// The type to save as. The default is ``fileType``, or `public.data`.
    open var savingFileType: String { fileType ?? "public.data" }

    /// The preferred file name extension of a type, without the dot; nil when there is none.
    open func fileNameExtension(forType type: String) -> String? {
        UniformType(type).flatMap { UniformTypeRegistry.system().preferredFilenameExtension(of: $0) }
    }

    /// The file name to show to people, without its extension.
    open var localizedName: String {
        let name = item?.name ?? target?.name ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The modification date when last read or saved, in seconds since 1970-01-01 UTC; nil when unknown.
    public var fileModificationDate: Double? { item?.modificationDate }

    /// The version when last read or saved, which changes whenever the stored contents do; nil when unknown.
    public var fileVersion: String? { item?.version }

    /// The current state.
    public internal(set) var state: State = .closed

    /// The current state and every later one, until the document is deallocated.
    public var states: AsyncStream<State> { stateChanges.stream(first: state) }

    /// The progress of fetching the document, until the document is deallocated. Get it before calling ``open()``.
    public nonisolated var progress: AsyncStream<DownloadProgress> { progressReports.stream() }

    /// How long unsaved changes wait to be saved automatically, counted from the first of them. 30 seconds by default.
    /// A new value takes effect with the next change after a save.
    public var autosavingInterval: Duration = .seconds(30)

    // MARK: Changes

    /// Whether there are unsaved changes.
    open var hasUnsavedChanges: Bool { changes.hasUnsavedChanges }

    /// Records a change.
    open func updateChangeCount(_ kind: ChangeKind) {
        changes.record(kind)
        scheduleAutosave()
    }

    /// The current change count, taken at the start of a save.
    open func changeCountToken(for operation: SaveOperation) -> ChangeCountToken {
        ChangeCountToken(mark: changes.mark)
    }

    /// Marks the changes up to the token as saved; later ones remain unsaved.
    open func updateChangeCount(withToken token: ChangeCountToken, for operation: SaveOperation) {
        changes.save(token.mark)
    }

    /// The undo manager that reports changes, if the program has one.
    public var undoManager: (any DocumentUndoManager)? {
        didSet {
            oldValue?.changeHandler = nil
            undoManager?.changeHandler = { [weak self] kind in self?.updateChangeCount(kind) }
        }
    }

    // MARK: Opening and saving

    /// Reads the document and starts presenting it.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted`, `notFound`, `unavailable`, `invalidArgument` for a document that
    ///   is already open or has not been created; or an error of ``load(fromContents:ofType:)``.
    open func open() async throws { try await performOpening() }

    /// Saves the document. Everything except ``contents(forType:)`` runs off the main actor, in a single coordinated
    /// write. The change is durable when this returns.
    ///
    /// - Parameters:
    ///   - target: where to create the document, for `creating`; by default, the target that it was initialised with. A
    ///     document that was open elsewhere continues in the new place.
    ///   - operation: whether the document is created or already exists.
    /// - Throws: ``DocumentsError``: `conflict` when other contents were stored meanwhile (the state is then
    ///   ``State/inConflict``, and nothing was overwritten) or, for `creating`, when the name is taken; or the reason
    ///   why it cannot be written.
    open func save(to target: SaveTarget? = nil, for operation: SaveOperation = .overwriting) async throws {
        try await performSaving(to: target, for: operation)
    }

    /// Saves if there are unsaved changes. Called automatically ``autosavingInterval`` after a change.
    open func autosave() async throws {
        guard hasUnsavedChanges, phase == .open, diverged == nil else { return }
        try await overwrite(.byItself)
    }

    /// Saves unsaved changes, stops presenting and releases the document.
    ///
    /// - Parameter discardingUnsavedChanges: whether to discard the changes instead.
    /// - Throws: the reason why it could not be saved; the document then stays open.
    open func close(discardingUnsavedChanges: Bool = false) async throws {
        try await performClosing(discarding: discardingUnsavedChanges)
    }

    /// Discards unsaved changes and loads the stored contents.
    ///
    /// - Parameter other: a document whose contents are loaded instead, as an edit of this one.
    /// - Throws: as ``open()``; the previous contents then stay.
    open func revert(toContentsOf other: SecurityScopedDocument? = nil) async throws {
        try await performReverting(to: other)
    }

    /// Runs work on the document's files in its access queue, off the main actor.
    ///
    /// The work must not wait for this document to open, save or close, because they would wait for the work.
    public func performAsynchronousFileAccess<Result: Sendable>(
        _ work: @concurrent @Sendable () async throws -> Result
    ) async rethrows -> Result {
        try await queue.run { try await work() }
    }

    // MARK: Conflicts

    /// The stored contents, to compare or merge with those here in a conflict. A later
    /// ``resolveConflict(keepingCurrent:)`` refers to them.
    public func storedContents() async throws -> DocumentContents { try await readStoredContents() }

    /// Ends a conflict.
    ///
    /// - Parameter keepingCurrent: if true, the stored contents stay and the changes here are discarded; if false, the
    ///   contents here replace the stored ones.
    /// - Throws: ``DocumentsError`` `conflict` when other contents were stored after the conflict was found; or the
    ///   reason why reading or saving failed.
    public func resolveConflict(keepingCurrent: Bool) async throws {
        try await endConflict(keepingCurrent: keepingCurrent)
    }
}
