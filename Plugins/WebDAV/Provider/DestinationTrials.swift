import Synchronization

/// Records which characters a server was seen to keep, or not, in the `Destination` of MOVE.
final class DestinationTrials: Sendable {
    private struct State {
        var kept = RiskyCharacters(in: "")
        var mistaken: Set<RiskyCharacters> = []
    }

    private let state = Mutex(State())

    /// Whether they are kept; nil until they were tried.
    func areKept(_ characters: RiskyCharacters) -> Bool? {
        state.withLock { state in
            if state.mistaken.contains(characters) { return false }
            return characters.isSubset(of: state.kept) ? true : nil
        }
    }

    /// Records the outcome of a trial of all these characters together.
    func note(_ characters: RiskyCharacters, areKept: Bool) {
        state.withLock { state in
            if areKept { state.kept = state.kept.union(characters) } else { state.mistaken.insert(characters) }
        }
    }
}
