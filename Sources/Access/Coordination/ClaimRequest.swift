import Coordination
import DocentInterfaces
import HostCore
import Rights

/// A request for a claim, after its places were found and its rights checked.
struct ClaimRequest: Sendable {
    var party: CoordinationParty
    /// The client's session; nil for claims of the host and of extensions.
    var session: Session?
    var principal: Principal? { isImplicit ? nil : session?.principal }
    var operation: String?
    /// Prefixed with its namespace. If nil, the claim gets a purpose of its own.
    var purpose: String?
    /// The purpose as the client stated it, shown to people.
    var statedPurpose: String?
    var presenter: String?
    var accesses: [ItemAccess]
    var prepares = false
    var within: [String] = []
    var answering: [String] = []
    var thread: String?
    /// The longest wait, in seconds.
    var deadline: Double?
    /// Whether the deadline is suspended while the content is fetched. The fetch has deadlines of its own, which
    /// progress extends.
    var isPatient = false
    var isImplicit = false
    /// Claims that enclose this one, in addition to those in `within`.
    var enclosing: [Claim.Identifier] = []
    var during: Claim.Identifier?
    var hasProviderPurpose = false

    /// Prefixes a purpose that a client states, so that it never equals an extension's.
    static func clientPurpose(_ stated: String) -> String { "client:\(stated)" }

    /// The intent of one access in a call.
    ///
    /// - Throws: ``Failure`` `InvalidArgument`.
    static func intent(_ access: Wire.ClaimAccess) throws(Failure) -> ItemAccess.Intent {
        let names = access.options ?? []
        if access.writing {
            guard let options = WritingOptions(names: names), names.count <= 1 else { throw unknown(names, "writing") }
            return .writing(options)
        }
        guard let options = ReadingOptions(names: names) else { throw unknown(names, "reading") }
        return .reading(options)
    }

    private static func unknown(_ names: [String], _ kind: String) -> Failure {
        Failure(
            .invalidArgument, "The options \(names.joined(separator: ", ")) cannot be used for \(kind).",
            suggestion: "A claim for writing has at most one option.")
    }
}

extension CoordinationTable {
    /// Turns a request into a claim.
    mutating func claim(_ request: ClaimRequest) throws(Failure) -> Claim {
        guard request.session?.hasEnded != true else { throw Failure(.cancelled, "The session has ended.") }
        let owner = request.party.owner
        var presenter: Presenter.Identifier?
        var purpose = request.purpose
        if let name = request.presenter {
            guard let known = presenterNames[OwnedName(owner: owner, name: name)], let entry = presenters[known] else {
                throw Failure(
                    .notFound, "There is no presenter \(name) in this session.", suggestion: "Add it first.")
            }
            presenter = known
            // Coordinators that share a presenter share its purpose (2.7).
            purpose = entry.purpose
        }
        let number = nextNumber()
        return Claim(
            id: Claim.Identifier(rawValue: number), owner: owner, purpose: purpose ?? "claim:\(number)",
            presenter: presenter, accesses: request.accesses, prepares: request.prepares,
            within: request.enclosing + request.within.compactMap { claimNames[OwnedName(owner: owner, name: $0)] },
            answering: request.answering.compactMap(UInt64.init).map(PresenterMessage.Identifier.init(rawValue:))
                .filter { message in
                    asked[message].map { presenters[$0.presenter]?.party.owner == owner } ?? false
                },
            blockedThread: request.thread, during: request.during, hasProviderPurpose: request.hasProviderPurpose)
    }

    /// The entry that the host keeps beside a claim.
    func entry(_ request: ClaimRequest, _ claim: Claim, wait: ClaimWait?, isHeld: Bool = false) -> ClaimEntry {
        var entry = ClaimEntry(
            party: request.party, principal: request.principal, operation: request.operation,
            purpose: request.statedPurpose, presenter: request.presenter, accesses: claim.accesses,
            isImplicit: request.isImplicit, wait: wait)
        entry.isHeld = isHeld
        return entry
    }
}
