import DocentInterfaces
package import FoundationEssentials
import HostCore
package import Records
package import Rights
import Synchronization

/// Moves that are under way, or that were interrupted and are looked into, and what moved away lately: for the catalogue, which
/// must take neither for deleted, and must not believe what it was told of the old places before. Thread-safe.
package final class PendingMoves: Sendable {
    // How long, in seconds, an answer may be under way that was true before a move.
    private static let memorySeconds = 900.0
    private static let deepest = 256

    private struct State {
        var pending: [String: ItemChange] = [:]
        var running: Set<String> = []
        var left: [ItemKey: Date] = [:]
        var pruned = Date.distantPast
    }

    private let state = Mutex(State())

    package init() {}

    /// A move begins.
    ///
    /// - Parameter isRunning: whether somebody is at it; else it was interrupted.
    package func begin(_ change: ItemChange, isRunning: Bool) {
        state.withLock { state in
            state.pending[change.id] = change
            if isRunning { state.running.insert(change.id) }
        }
    }

    /// Nobody is at a move any more, and nobody knows what became of it.
    package func interrupted(_ change: ItemChange) {
        state.withLock { _ = $0.running.remove(change.id) }
    }

    /// It is known what became of a move.
    package func end(_ change: ItemChange) {
        state.withLock { state in
            state.pending[change.id] = nil
            state.running.remove(change.id)
        }
    }

    /// Whether somebody is at a change.
    package func isRunning(_ change: ItemChange) -> Bool { state.withLock { $0.running.contains(change.id) } }

    /// The identifiers of one domain's items that may be elsewhere by now: with all below them they must not be removed.
    package func sources(provider: String, domain: String) -> Set<ExactText> {
        state.withLock { state in
            Set(
                state.pending.values.filter {
                    $0.kind == .move && $0.key.provider == provider && $0.key.domain == domain
                }.map { ExactText($0.key.identifier) })
        }
    }

    /// Whether anything moves in a domain, or may have moved.
    func isQuiet(_ key: ItemKey) -> Bool {
        state.withLock { state in
            !state.pending.values.contains {
                $0.kind == .move && $0.key.provider == key.provider && $0.key.domain == key.domain
            }
        }
    }

    /// The item that moves or may have moved, an item itself or one above it; nil when all is where it is known to be.
    func source(of key: ItemKey, in index: ItemIndex) async throws -> ItemKey? {
        guard !isQuiet(key) else { return nil }
        let sources = sources(provider: key.provider, domain: key.domain)
        var next = key
        for _ in 0..<Self.deepest {
            if sources.contains(ExactText(next.identifier)) { return next }
            guard let item = try await index.item(next), next.identifier != ItemKey.rootIdentifier else { return nil }
            next = key.sibling(item.description.parent)
        }
        return nil
    }

    /// What is said of an item that may have moved.
    static func unsettled(_ key: ItemKey) -> Failure {
        Failure(
            .unavailable, "It is being moved, or was when something was interrupted.",
            suggestion: "Try again when \(key.provider) answers.", provider: key.provider)
    }

    /// Whether somebody is at the move of an item.
    func isMoving(_ source: ItemKey) -> Bool {
        state.withLock { state in
            state.pending.values.contains { $0.key == source && state.running.contains($0.id) }
        }
    }

    /// Items have other identifiers now.
    package func left(_ keys: some Sequence<ItemKey>, at now: Date = .now) {
        state.withLock { state in
            if now.timeIntervalSince(state.pruned) > 60 {
                state.left = state.left.filter { now.timeIntervalSince($0.value) < Self.memorySeconds }
                state.pruned = now
            }
            for key in keys { state.left[key] = now }
        }
    }

    /// Whether an item moved away after a question was asked: the answer may be from before.
    func hasLeft(_ key: ItemKey, since began: Date) -> Bool {
        state.withLock { $0.left[key].map { $0 >= began } ?? false }
    }
}
