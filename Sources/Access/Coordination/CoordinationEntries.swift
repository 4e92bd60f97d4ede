import Coordination
import DocentInterfaces
import FoundationEssentials
import HostCore
import Rights

/// A name that an owner gave to something of its own.
struct OwnedName: Hashable {
    var owner: Claim.Owner
    var name: String
}

/// What the host keeps with a claim.
struct ClaimEntry {
    let party: CoordinationParty
    /// The principal whose limit it counts towards; nil for the host's own and those of extensions.
    let principal: Principal?
    /// The name that the client gave it; nil for the host's own.
    let operation: String?
    /// The purpose that was stated.
    let purpose: String?
    /// The presenter's name that was stated.
    let presenter: String?
    /// As it was asked for.
    let accesses: [ItemAccess]
    /// A change that no client's claim covers: a silent presenter is passed over.
    let isImplicit: Bool
    let wait: ClaimWait?
    var isHeld = false
    var since = Date.now
    /// What its accesses changed, told to presenters at its release.
    var outcome = AccessOutcome()
    /// Why it fails, where the host knows better than the engine.
    var failure: Failure?
    var provision: Task<Void, Never>?
    var isProviding = false
    var completedBytes: Int64?
    var totalBytes: Int64?
    /// Moves that were told already.
    var moved: Set<Coordination.ItemKey> = []

    var isWriting: Bool { accesses.contains { $0.isWriting } }

    /// The claim as the cause of a message.
    var cause: Wire.Cause { party.cause(purpose: purpose, operation: operation) }
}

/// What the host keeps with a presenter.
struct PresenterEntry {
    let party: CoordinationParty
    let principal: Principal
    let name: String
    let purpose: String
    let mailbox: PresenterMailbox
    /// What its provider watches for it.
    let observed: Coordination.ItemKey
    /// What it presents, as far as it is known now.
    var item: Coordination.ItemKey
}

/// A message that waits for its answer.
struct AskedMessage {
    let presenter: Presenter.Identifier
    let kind: String
    let since = Date.now
    let isImplicit: Bool
    var timer: Task<Void, Never>?
}

extension ItemAccess {
    /// The names of its options.
    var optionNames: [String] {
        switch intent {
        case .reading(let options): options.names
        case .writing(let options): options.names
        }
    }

    /// What the provider must have brought before it is granted.
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
