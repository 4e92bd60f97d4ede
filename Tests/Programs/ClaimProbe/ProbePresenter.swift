import Documents

/// A presenter that reports every message it gets.
///
/// mode: `quick` answers at once; `silent` never answers a request to relinquish; `saving` writes its own content, with
/// a claim, while it is asked to relinquish (SEMANTICS 2.9, deadlock 3); `refusing` fails to save and refuses a
/// deletion or an eviction; `main` works on the main thread, and declares that.
final class ProbePresenter: FilePresenter {
    let presentedItem: DocumentPlace?
    private let probe: ProbeState
    private let id: String
    private let reference: DocumentReference
    private let mode: String

    init(_ probe: ProbeState, _ id: String, _ reference: DocumentReference, mode: String) {
        self.probe = probe
        self.id = id
        self.reference = reference
        self.mode = mode
        presentedItem = DocumentPlace(reference)
    }

    var blocksThread: PresenterThread? { mode == "main" ? .main : nil }

    func relinquishPresentedItem(toReader cause: ChangeCause) async -> (@Sendable () async -> Void)? {
        await relinquish("toReader", cause)
    }

    func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)? {
        await relinquish("toWriter", cause)
    }

    private func relinquish(_ kind: String, _ cause: ChangeCause) async -> (@Sendable () async -> Void)? {
        probe.tell(id, kind, cause.client, cause.process.map { "\($0)" } ?? "")
        if mode == "main" { await MainActor.run {} }
        if mode == "silent" { await probe.wait("silence-\(id)") }
        if mode == "saving" {
            do {
                try await FileCoordinator(client: probe.client, filePresenter: self).coordinate(
                    writingItemAt: reference, options: .forReplacing
                ) { access in
                    let session = try await access.session(replacing: true)
                    try ProbeCommand.put("saved by \(id)", session.descriptor)
                    _ = try await session.commit()
                }
                probe.tell(id, "saved")
            } catch { probe.tell(id, "error", "\(error)") }
        }
        return { [probe, id] in probe.tell(id, "reacquire") }
    }

    func savePresentedItemChanges() async throws {
        probe.tell(id, "save")
        if mode == "refusing" { throw Refusal() }
    }

    func accommodatePresentedItemDeletion() async throws {
        probe.tell(id, "accommodate")
        if mode == "refusing" { throw Refusal() }
    }

    func accommodatePresentedItemEviction() async throws {
        probe.tell(id, "accommodateEviction")
        if mode == "refusing" { throw Refusal() }
        if mode == "silent" { await probe.wait("silence-\(id)") }
    }

    func presentedItemDidChange(_ change: PresentedChange) async {
        probe.tell(
            id, "didChange", change.isUncoordinated ? "uncoordinated" : "coordinated", change.cause?.client ?? "")
    }

    func presentedItemDidMove(to item: DocumentReference, _ change: PresentedChange) async {
        probe.tell(id, "didMove", item.identifier, change.cause?.client ?? "")
    }

    func presentedItemDidDelete(_ change: PresentedChange) async {
        probe.tell(
            id, "didDelete", change.isUncoordinated ? "uncoordinated" : "coordinated", change.cause?.client ?? "")
    }

    func presentedItemDidGainVersion(_ version: String, _ change: PresentedChange) async {
        probe.tell(id, "didGainVersion", version)
    }

    func presentedItemDidLoseVersion(_ version: String, _ change: PresentedChange) async {
        probe.tell(id, "didLoseVersion", version)
    }

    func presentedItemDidResolveConflict(_ version: String, _ change: PresentedChange) async {
        probe.tell(id, "didResolveConflict", version)
    }

    func presentedSubitemDidAppear(at item: DocumentReference, _ change: PresentedChange) async {
        probe.tell(id, "subitemDidAppear", item.identifier)
    }

    func presentedSubitemDidChange(at item: DocumentReference, _ change: PresentedChange) async {
        probe.tell(id, "subitemDidChange", item.identifier)
    }

    struct Refusal: Error, CustomStringConvertible {
        let description = "The probe does not want to."
    }
}
