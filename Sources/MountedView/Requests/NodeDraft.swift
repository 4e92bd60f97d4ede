import CLinux
import Documents
import Glibc
import Synchronization

/// What programs have written to a document of the view, and is not published yet; after that, what was published.
///
/// All who have the document open read and write the same. Thread-safe.
final class NodeDraft: Sendable {
    /// Begins a draft at the source.
    ///
    /// - Parameters:
    ///   - isEmptied: whether it starts without the present content.
    ///   - base: the version that the writer has read; nil for the present one.
    typealias Begin = @Sendable (_ isEmptied: Bool, _ base: String?) async throws(DocumentsError) -> any SourceDraft

    /// Finishes a change that an earlier server of the mount has begun to commit.
    ///
    /// - Returns: the document as it was saved; nil if the change was not saved.
    typealias Finish = @Sendable (_ operation: String) async throws(DocumentsError) -> ViewItem?

    private struct State {
        /// What is read: the staged file while it is written, otherwise the last content.
        var file: OpenHandles.OpenFile?
        /// Open while programs may write.
        var draft: (any SourceDraft)?
        /// What the first program that may read and write has opened: its changes are changes of that.
        var opened: OpenHandles.OpenFile?
        /// The version that what is written starts from; nil for the present one.
        var base: String?
        /// Whether something is not published.
        var isDirty = false
        /// Whether all that has happened to it is that a program has emptied it.
        var isOnlyEmptied = false
        var modified: Double?
        /// Whether the document was removed: what is written goes nowhere, but those who have it open go on.
        var isOrphan = false
        var asking: AskingProgram?
        /// The change by which the content is being published, or was at last.
        var operation: KeptOperation?
        /// The same of an earlier server of the mount, whose outcome is not known here yet.
        var former: KeptOperation?
    }

    let node: UInt64
    private let begin: Begin
    private let finish: Finish
    private let published: @Sendable (ViewItem) -> Void
    private let attributes: @Sendable () -> [String: [UInt8]]
    private let rescue: @Sendable (OpenHandles.OpenFile) async throws(DocumentsError) -> Void
    private let kept: KeptState
    private let work = SerialWork()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - attributes: the extended attributes to publish beside the content.
    ///   - published: called with each version that was published.
    ///   - rescue: called with what was written, if the document is gone and cannot be made again. Nothing is to be
    ///     published afterwards.
    init(
        node: UInt64, kept: KeptState, attributes: @escaping @Sendable () -> [String: [UInt8]] = { [:] },
        begin: @escaping Begin, finish: @escaping Finish, published: @escaping @Sendable (ViewItem) -> Void,
        rescue: @escaping @Sendable (OpenHandles.OpenFile) async throws(DocumentsError) -> Void
    ) {
        self.attributes = attributes
        self.rescue = rescue
        self.kept = kept
        self.node = node
        self.begin = begin
        self.finish = finish
        self.published = published
    }

    /// Has it kept by another keeper too.
    func keep() {
        state.withLock { state in
            if let file = state.file { keep(file, state) }
        }
    }

    // Nothing of a removed document is to be published.
    private func keep(_ file: OpenHandles.OpenFile, _ state: State) {
        let isWriter = state.isDirty && !state.isOrphan
        kept.keep(
            .init(
                kind: .draft, key: node, node: node, isWriter: isWriter,
                operation: isWriter ? state.former ?? state.operation : nil), file.descriptor)
    }

    /// Goes on with what an earlier server of the mount had written.
    ///
    /// - Parameters:
    ///   - isOrphan: whether the document was removed.
    ///   - former: the change by which it may have been published.
    func restore(_ file: OpenHandles.OpenFile, isDirty: Bool, isOrphan: Bool, former: KeptOperation? = nil) {
        state.withLock { ($0.file, $0.isDirty, $0.isOrphan, $0.former) = (file, isDirty, isOrphan, former) }
    }

    /// Finds out whether an earlier server of the mount has published the content, before anything else is done with
    /// it: the daemon goes on with a change whose client was killed.
    func settleFormer() async throws(DocumentsError) {
        try await work.run { [self] () async throws(DocumentsError) in try await settleFormerInTurn() }
    }

    private func settleFormerInTurn() async throws(DocumentsError) {
        guard let former = state.withLock({ $0.former }) else { return }
        let item = try await finish(former.identifier)
        state.withLock { state in
            state.former = nil
            if item == nil, let file = state.file { keep(file, state) }
        }
        guard let item else { return }
        published(item)
        settle(item)
    }

    /// What is read now; nil for what each program has opened.
    var file: OpenHandles.OpenFile? { state.withLock { $0.file } }

    /// Whether something is still to be published.
    var isDirty: Bool { state.withLock { $0.isDirty && !$0.isOrphan } }

    /// Whether a program has emptied a document, and written nothing yet. A shell closes its own descriptor of
    /// `program > document` before the program has begun.
    var isOnlyEmptied: Bool { state.withLock { $0.isOnlyEmptied && $0.isDirty } }

    /// Writes, if that takes no waiting.
    ///
    /// - Returns: the number of bytes, or a negative errno; nil if ``prepare(isEmptied:)`` must come first.
    func write(_ data: UnsafeRawBufferPointer, at offset: Int64) -> Int? {
        state.withLock { state in
            guard state.draft != nil, let file = state.file else { return nil }
            var written = 0
            while written < data.count, let start = data.baseAddress {
                let count = clinux_pwrite(
                    file.descriptor, start + written, data.count - written, offset + Int64(written))
                guard count > 0 else {
                    if written > 0 { break }
                    return count
                }
                written += count
            }
            state.isOnlyEmptied = false
            noteDirty(&state, file)
            return written
        }
    }

    private func noteDirty(_ state: inout State, _ file: OpenHandles.OpenFile) {
        guard !state.isDirty else { return }
        state.isDirty = true
        keep(file, state)
    }

    /// Notes what a program has opened that may read and write: what it writes changes that content, whatever the
    /// document contains by then.
    func opened(_ file: OpenHandles.OpenFile) {
        state.withLock { state in
            guard state.file == nil, state.opened == nil, let version = file.version else { return }
            (state.opened, state.base) = (file, version)
        }
    }

    /// Changes the length; nil if ``prepare(isEmptied:)`` must come first.
    ///
    /// - Returns: 0 or a negative errno.
    func truncate(to size: Int64) -> CInt? {
        state.withLock { state in
            guard state.draft != nil, let file = state.file else { return nil }
            let result = clinux_ftruncate(file.descriptor, size)
            if size > 0 { state.isOnlyEmptied = false }
            if result == 0 { noteDirty(&state, file) }
            return result
        }
    }

    /// The program that opened it for writing last; nil when unknown.
    var asking: AskingProgram? {
        get { state.withLock { $0.asking } }
        set { state.withLock { $0.asking = newValue } }
    }

    /// Continues with another document, or with the same one after it was moved.
    ///
    /// - Parameter version: that of the content that is open.
    func rebase(_ version: String?) { state.withLock { $0.base = version } }

    /// Notes the date that the content should have when it is published.
    func setModified(_ seconds: Double) { state.withLock { $0.modified = seconds } }

    /// Makes it possible to write.
    func prepare(isEmptied: Bool) async throws(DocumentsError) {
        try await work.run { [self] () async throws(DocumentsError) in
            try await settleFormerInTurn()
            let (isReady, kept, isOrphan, known, base) = state.withLock {
                (
                    $0.draft != nil, $0.isDirty || $0.isOrphan ? $0.file : nil, $0.isOrphan, $0.file ?? $0.opened,
                    $0.base
                )
            }
            guard !isReady else { return }
            // Whoever empties a document changes what it contains now.
            let draft =
                isOrphan ? try OrphanDraft() : try await begin(isEmptied || kept != nil, isEmptied ? nil : base)
            do throws(DocumentsError) {
                let file = OpenHandles.OpenFile(node: node, owning: try draft.descriptor())
                // A commit failed, and what was written is only here; or somebody else has changed or removed it.
                let source = kept ?? (draft.isOutdated || draft.isNew ? known : nil)
                if let source, !isEmptied { try SharedCopy.copy(from: source.descriptor, to: file.descriptor) }
                // A local file is written in its place.
                if isEmptied { _ = clinux_ftruncate(file.descriptor, 0) }
                state.withLock { state in
                    state.draft = draft
                    state.file = file
                    state.opened = nil
                    if isEmptied { state.base = nil }
                    if isEmptied {
                        state.isOnlyEmptied = !state.isDirty && !draft.isNew && !isOrphan
                        state.isDirty = true
                    }
                    keep(file, state)
                }
            } catch {
                await draft.abandon()
                throw error
            }
        }
    }

    /// Publishes what was written, if anything was. Durable when it returns.
    ///
    /// - Parameter isOpen: whether a program has it open that publishes it later. A document that such a program has
    ///   only emptied is left to it.
    func publish(isOpen: @escaping @Sendable () -> Bool = { false }) async throws(DocumentsError) {
        try await work.run { [self] () async throws(DocumentsError) in
            try await settleFormerInTurn()
            guard isDirty, !(isOnlyEmptied && isOpen()) else { return }
            for isLast in [false, true] {
                // What a failed commit left is written anew.
                if state.withLock({ $0.draft == nil }), try await !restage() { return }
                do throws(CommitFailure) {
                    return try await commit()
                } catch {
                    // The session has ended, the document has gone, or the name of a new one is taken: begun again, it
                    // will show which.
                    guard !isLast, error.isRestartable else { throw error.error }
                }
            }
        }
    }

    /// Why a commit failed.
    private struct CommitFailure: Error {
        let error: DocumentsError
        let isRestartable: Bool
    }

    private func commit() async throws(CommitFailure) {
        let taken = state.withLock { state -> ((any SourceDraft), Double?)? in
            guard let draft = state.draft, let file = state.file else { return nil }
            // The daemon takes no file that can still be written.
            let descriptor = clinux_reopen(file.descriptor, CLINUX_O_RDONLY)
            guard descriptor >= 0 else { return nil }
            let published = OpenHandles.OpenFile(node: node, owning: descriptor)
            state.file = published
            state.draft = nil
            // The next server of the mount asks for the outcome, if this one is killed before it has noted that.
            state.operation = draft.operation.flatMap { KeptOperation($0) }
            keep(published, state)
            return (draft, state.modified)
        }
        guard let (draft, modified) = taken else {
            throw CommitFailure(
                error: DocumentsError(.failed, "What was written cannot be opened again."), isRestartable: false)
        }
        let item: ViewItem
        do throws(DocumentsError) {
            draft.attach(attributes())
            item = try await draft.commit(modified: modified)
        } catch {
            // The daemon keeps a content that its provider refuses because of another one.
            if error.code == .conflict, !draft.isNew {
                settle(nil)
                ViewLog.write("What was written to \(node) is kept as a version (`docent conflicts`): \(error.message)")
            }
            throw CommitFailure(
                error: error,
                isRestartable: [.notFound, .notPermitted].contains(error.code)
                    || error.code == .conflict && draft.isNew)
        }
        // Noted before the content counts as published: in between, the next server of the mount asks for the outcome.
        published(item)
        settle(item)
    }

    // Nothing was written meanwhile: that needs a new draft, which waits for this.
    private func settle(_ item: ViewItem?) {
        state.withLock { state in
            (state.isDirty, state.isOnlyEmptied) = (false, false)
            state.modified = nil
            state.operation = nil
            state.base = item?.version
            if let file = state.file { keep(file, state) }
        }
    }

    /// Writes what a failed commit left into a new draft.
    ///
    /// - Returns: false if it was saved elsewhere, because the document has gone.
    private func restage() async throws(DocumentsError) -> Bool {
        guard let kept = file else { throw DocumentsError(.failed, "What was written is lost.") }
        let draft: any SourceDraft
        do throws(DocumentsError) {
            draft = try await begin(true, state.withLock { $0.base })
        } catch {
            guard error.code == .notFound || error.code == .conflict else { throw error }
            let result: Result<Void, DocumentsError>
            do throws(DocumentsError) {
                result = .success(try await rescue(kept))
            } catch {
                guard error.code == .notFound else { throw error }
                result = .failure(error)
            }
            // Whatever is written from now on is saved again, or refused.
            state.withLock { state in
                state.isDirty = false
                keep(kept, state)
            }
            try result.get()
            return false
        }
        do throws(DocumentsError) {
            let file = OpenHandles.OpenFile(node: node, owning: try draft.descriptor())
            try SharedCopy.copy(from: kept.descriptor, to: file.descriptor)
            state.withLock { ($0.draft, $0.file) = (draft, file) }
        } catch {
            await draft.abandon()
            throw error
        }
        return true
    }

    /// The document is about to be removed: nothing is published any more. Those who have it open go on with a copy,
    /// because the staged file goes with the document.
    ///
    /// - Parameter content: what it contains, if nothing was written to it.
    func orphan(_ content: OpenHandles.OpenFile?) async {
        _ = try? await work.run { [self] () async throws(DocumentsError) in
            let (file, draft) = state.withLock { state -> (OpenHandles.OpenFile?, (any SourceDraft)?) in
                state.isOrphan = true
                if let file = state.file { keep(file, state) }
                return (state.file ?? content, state.draft)
            }
            guard draft != nil || content != nil else { return }
            let copy = try OrphanDraft()
            let own = OpenHandles.OpenFile(node: node, owning: try copy.descriptor())
            if let file { try SharedCopy.copy(from: file.descriptor, to: own.descriptor) }
            state.withLock { state in
                (state.file, state.draft) = (own, copy)
                keep(own, state)
            }
            await draft?.abandon()
        }
    }

    /// The document was not removed after all: what is written is published again.
    func revive() async {
        _ = try? await work.run { [self] () async throws(DocumentsError) in
            let draft = state.withLock { state -> (any SourceDraft)? in
                guard state.isOrphan else { return nil }
                state.isOrphan = false
                if let file = state.file { keep(file, state) }
                // What is in the copy is staged anew when it is published.
                defer { state.draft = nil }
                return state.draft
            }
            await draft?.abandon()
        }
    }

    /// Ends a draft in which nothing is to be published.
    func rest() async {
        _ = try? await work.run { [self] () async throws(DocumentsError) in
            let draft = state.withLock { state -> (any SourceDraft)? in
                // Somebody may have begun again meanwhile.
                guard !state.isDirty || state.isOrphan else { return nil }
                defer { state.draft = nil }
                return state.draft
            }
            await draft?.abandon()
        }
    }
}
