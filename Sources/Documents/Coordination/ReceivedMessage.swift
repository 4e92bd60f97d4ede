import DocentInterfaces
import Varlink

/// A message to a presenter, delivered according to its kind. Unknown kinds are ignored.
struct ReceivedMessage: Sendable {
    private let reply: DocumentsInterface.Present.Reply
    private let change: PresentedChange

    init(_ reply: DocumentsInterface.Present.Reply) {
        self.reply = reply
        change = PresentedChange(
            cause: reply.cause.map(ChangeCause.init), isUncoordinated: reply.uncoordinated ?? false,
            version: reply.version)
    }

    /// Whether its version is the presented item's new version.
    var tellsVersion: Bool { reply.kind == "didChange" }

    /// Calls the handler.
    ///
    /// - Returns: the reason why the presenter refuses, and a function to call when others are done.
    func deliver(
        to presenter: any FilePresenter
    ) async -> (error: String?, reacquirer: (@Sendable () async -> Void)?) {
        let cause = change.cause ?? .unknown
        switch reply.kind {
        case "relinquishToReader": return (nil, await presenter.relinquishPresentedItem(toReader: cause))
        case "relinquishToWriter": return (nil, await presenter.relinquishPresentedItem(toWriter: cause))
        default: break
        }
        do {
            try await ask(presenter)
        } catch {
            return ((error as? DocumentsError)?.message ?? String(describing: error), nil)
        }
        await tell(presenter)
        return (nil, nil)
    }

    private func ask(_ presenter: any FilePresenter) async throws {
        switch reply.kind {
        case "saveChanges": try await presenter.savePresentedItemChanges()
        case "accommodateDeletion": try await presenter.accommodatePresentedItemDeletion()
        case "accommodateEviction": try await presenter.accommodatePresentedItemEviction()
        case "accommodateSubitemDeletion":
            guard let subject else { return }
            try await presenter.accommodatePresentedSubitemDeletion(at: subject)
        default: break
        }
    }

    private func tell(_ presenter: any FilePresenter) async {
        switch reply.kind {
        case "didChange": await presenter.presentedItemDidChange(change)
        // Messages were left out; one of them may have been an uncoordinated change.
        case "resync": await presenter.presentedItemDidChange(PresentedChange(isUncoordinated: true))
        case "didMove":
            guard let place = newSubject ?? subject else { return }
            await presenter.presentedItemDidMove(to: place, change)
        case "didDelete": await presenter.presentedItemDidDelete(change)
        case "didGainVersion": await presenter.presentedItemDidGainVersion(version, change)
        case "didLoseVersion": await presenter.presentedItemDidLoseVersion(version, change)
        case "didResolveConflict": await presenter.presentedItemDidResolveConflict(version, change)
        default: await tellOfSubitem(presenter)
        }
    }

    private func tellOfSubitem(_ presenter: any FilePresenter) async {
        guard let subject else { return }
        switch reply.kind {
        case "subitemDidAppear": await presenter.presentedSubitemDidAppear(at: subject, change)
        case "subitemDidChange": await presenter.presentedSubitemDidChange(at: subject, change)
        case "subitemDidMove":
            await presenter.presentedSubitem(at: subject, didMoveTo: newSubject ?? subject, change)
        case "subitemDidGainVersion":
            await presenter.presentedSubitem(at: subject, didGainVersion: version, change)
        case "subitemDidLoseVersion":
            await presenter.presentedSubitem(at: subject, didLoseVersion: version, change)
        case "subitemDidResolveConflict":
            await presenter.presentedSubitem(at: subject, didResolveConflict: version, change)
        default: break
        }
    }

    private var subject: DocumentReference? { reply.subject.map(DocumentReference.init) }
    private var newSubject: DocumentReference? { reply.newReference.map(DocumentReference.init) }
    private var version: String { reply.version ?? "" }
}
