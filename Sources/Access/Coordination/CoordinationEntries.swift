import Coordination
import DocentInterfaces
import FoundationEssentials
import HostCore
import Rights

/// A name that an owner gave to one of its claims or presenters.
struct OwnedName: Hashable {
    var owner: Claim.Owner
    var name: String
}

/// What the host keeps beside a claim.
struct ClaimEntry {
    let party: CoordinationParty
    /// The principal whose limit the claim counts towards; nil for claims of the host and of extensions.
    let principal: Principal?
    /// The name that the client gave to the claim; nil for the host's own.
    let operation: String?
    let purpose: String?
    /// The name of the presenter that the request stated.
    let presenter: String?
    /// The accesses as they were requested.
    let accesses: [ItemAccess]
    /// Whether the claim covers a change made outside any client's claim. A presenter that does not answer is then
    /// skipped.
    let isImplicit: Bool
    let wait: ClaimWait?
    var isHeld = false
    var since = Date.now
    /// What its accesses changed. Presenters are notified when the claim is released.
    var outcome = AccessOutcome()
    /// Why the claim fails, if the host knows more than the engine.
    var failure: Failure?
    var provision: Task<Void, Never>?
    var isProviding = false
    var completedBytes: Int64?
    var totalBytes: Int64?
    /// Moves that presenters were already notified of.
    var moved: Set<CoordinatedItem> = []

    var isWriting: Bool { accesses.contains { $0.isWriting } }

    /// The claim as the cause of a message.
    var cause: Wire.Cause { party.cause(purpose: purpose, operation: operation) }
}

/// What the host keeps beside a presenter.
struct PresenterEntry {
    let party: CoordinationParty
    let principal: Principal
    let name: String
    let purpose: String
    let mailbox: PresenterMailbox
    /// The item that its provider watches for it.
    let observed: CoordinatedItem
    /// The item that it presents, as currently known.
    var item: CoordinatedItem
}

/// A message that is waiting for an answer.
struct AskedMessage {
    let presenter: Presenter.Identifier
    let kind: String
    let since = Date.now
    let isImplicit: Bool
    var timer: Task<Void, Never>?
}

extension ItemAccess {
    var optionNames: [String] {
        switch intent {
        case .reading(let options): options.names
        case .writing(let options): options.names
        }
    }

    /// What the provider must deliver before the access is granted.
    var need: Need {
        guard needsProvider, !location.item.isAbsent else { return .nothing }
        guard !location.isFolder else { return .placeholder }
        switch intent {
        case .reading(let options): return options.contains(.immediatelyAvailableMetadataOnly) ? .placeholder : .content
        case .writing: return .content
        }
    }

    enum Need { case nothing, placeholder, content }
}
