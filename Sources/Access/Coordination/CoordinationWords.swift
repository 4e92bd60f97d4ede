import Coordination
import DocentInterfaces
import HostCore

/// Describes claims and presenters in words, for errors and for waiting clients. Pure apart from item names.
struct CoordinationWords: Sendable {
    let hierarchy: ItemHierarchy

    /// Why a claim was not granted.
    func failure(
        _ reason: CoordinationFailure, of id: Claim.Identifier, _ table: CoordinationTable
    ) -> Failure {
        let asker = table.claims[id]?.party
        switch reason {
        case .cancelled: return Failure(.cancelled, "The claim was cancelled before it was granted.")
        case .ownerGone: return Failure(.cancelled, "The session has ended.")
        case .misuse(let sentence): return Failure(.invalidArgument, sentence)
        case .providerFailed(let sentence): return Failure(.providerFailed, sentence)
        case .presenterFailed(let presenter, let sentence):
            return Failure(
                .failed, "\(who(presenter, for: asker, table)) could not release the document: \(sentence)",
                suggestion: "Save or close the document there, then try again.")
        case .presenterSilent(let presenter, _):
            return Failure(
                .deadlineExceeded, "\(who(presenter, for: asker, table)) did not answer.",
                suggestion:
                    "It may be stuck or stopped: `docent claims` shows it. Try again when it has resumed or ended.")
        case .deadlock(let cycle):
            let steps = cycle.map { node($0, for: asker, table) }
            return Failure(
                .deadlock, "The claim would wait for itself: \(steps.joined(separator: ", which waits for ")).",
                suggestion: "Ask for all items in one call, or release the first claim before the second.")
        }
    }

    /// Describes what a claim is waiting for.
    func waits(_ nodes: [WaitNode], for asker: CoordinationParty, _ table: CoordinationTable) -> [String] {
        nodes.map { node($0, for: asker, table) }
    }

    private func node(
        _ node: WaitNode, for asker: CoordinationParty?, _ table: CoordinationTable
    ) -> String {
        switch node {
        case .claim(let id):
            guard let entry = table.claims[id] else { return "a claim that has ended" }
            guard mayTell(entry.party, asker) else { return "a claim of another client" }
            let operation = entry.operation.map { " \($0)" } ?? ""
            return "claim\(operation) of \(entry.party.words) \(items(entry.accesses))"
        case .message(let id, let presenter):
            let kind = table.asked[id].map { " (\($0.kind))" } ?? ""
            return "the answer of \(who(presenter, for: asker, table))\(kind)"
        case .provider(let id):
            let provider = table.claims[id]?.accesses.first?.location.item.provider
            return "provider \(provider ?? "")"
        case .thread(let owner, let thread):
            let party = table.claims.values.first { $0.party.owner == owner }?.party
            guard let party, mayTell(party, asker) else { return "a thread of another client" }
            return "thread \(thread) of \(party.words)"
        }
    }

    private func who(
        _ presenter: Presenter.Identifier, for asker: CoordinationParty?, _ table: CoordinationTable
    ) -> String {
        guard let entry = table.presenters[presenter] else { return "a presenter that no longer exists" }
        guard mayTell(entry.party, asker) else { return "another client" }
        return "presenter \(entry.name) of \(entry.party.words)"
    }

    private func mayTell(_ party: CoordinationParty, _ asker: CoordinationParty?) -> Bool {
        guard let asker, asker.isConfined else { return true }
        return party.owner == asker.owner
    }

    private func items(_ accesses: [ItemAccess]) -> String {
        accesses.prefix(3).map { "\($0.isWriting ? "writing" : "reading") \(name($0.location.item))" }
            .joined(separator: ", ") + (accesses.count > 3 ? ", and \(accesses.count - 3) more" : "")
    }

    /// The name of an item, or a substitute for it.
    func name(_ key: CoordinatedItem) -> String {
        if key.isAbsent { return "\"\(key.identifier.split(separator: "\u{0}").last ?? "")\"" }
        return hierarchy.name(key.item).map { "\"\($0)\"" } ?? key.description
    }
}
