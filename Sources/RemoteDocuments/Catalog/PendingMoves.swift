import DocentInterfaces
package import FoundationEssentials
import HostCore
package import Records
package import Rights
import Synchronization

/// Moves that are running, moves that were interrupted and are being checked, and items that moved recently. The
/// catalogue must not treat any of these items as deleted, and must not trust older answers about their former places.
/// Thread-safe.
package final class PendingMoves: Sendable {
    // How long, in seconds, an answer from before a move may still be in transit.
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

    /// Records that a move begins.
    ///
    /// - Parameter isRunning: whether the move is being carried out; otherwise it was interrupted.
    package func begin(_ change: ItemChange, isRunning: Bool) {
        state.withLock { state in
            state.pending[change.id] = change
            if isRunning { state.running.insert(change.id) }
        }
    }

    /// Records that a move has stopped and that its outcome is unknown.
    package func interrupted(_ change: ItemChange) {
        state.withLock { _ = $0.running.remove(change.id) }
    }

    /// Records that the outcome of a move is known.
    package func end(_ change: ItemChange) {
        state.withLock { state in
            state.pending[change.id] = nil
            state.running.remove(change.id)
        }
    }

    /// Whether a change is being carried out.
    package func isRunning(_ change: ItemChange) -> Bool { state.withLock { $0.running.contains(change.id) } }

    /// The identifiers of one domain's items that may have moved. They and everything below them must not be removed.
    package func sources(provider: String, domain: String) -> Set<BytewiseText> {
        state.withLock { state in
            Set(
                state.pending.values.filter {
                    $0.kind == .move && $0.key.provider == provider && $0.key.domain == domain
                }.map { BytewiseText($0.key.identifier) })
        }
    }

    /// Whether nothing in a domain moves or may have moved.
    func isQuiet(_ key: ItemKey) -> Bool {
        state.withLock { state in
            !state.pending.values.contains {
                $0.kind == .move && $0.key.provider == key.provider && $0.key.domain == key.domain
            }
        }
    }

    /// The item that moves or may have moved: the given item or one above it. Nil when all of them are where the index
    /// has them.
    func source(of key: ItemKey, in index: ItemIndex) async throws -> ItemKey? {
        guard !isQuiet(key) else { return nil }
        let sources = sources(provider: key.provider, domain: key.domain)
        var next = key
        for _ in 0..<Self.deepest {
            if sources.contains(BytewiseText(next.identifier)) { return next }
            guard let item = try await index.item(next), next.identifier != ItemKey.rootIdentifier else { return nil }
            next = key.sibling(item.description.parent)
        }
        return nil
    }

    /// The failure for an item that may have moved.
    static func unsettled(_ key: ItemKey) -> Failure {
        Failure(
            .unavailable, "It is being moved, or a move of it was interrupted.",
            suggestion: "Try again when \(key.provider) answers.", provider: key.provider)
    }

    /// Whether the move of an item is being carried out.
    func isMoving(_ source: ItemKey) -> Bool {
        state.withLock { state in
            state.pending.values.contains { $0.key == source && state.running.contains($0.id) }
        }
    }

    /// Records that items have new identifiers.
    package func left(_ keys: some Sequence<ItemKey>, at now: Date = .now) {
        state.withLock { state in
            if now.timeIntervalSince(state.pruned) > 60 {
                state.left = state.left.filter { now.timeIntervalSince($0.value) < Self.memorySeconds }
                state.pruned = now
            }
            for key in keys { state.left[key] = now }
        }
    }

    /// Whether an item moved away after a request was made; the answer may predate the move.
    func hasLeft(_ key: ItemKey, since began: Date) -> Bool {
        state.withLock { $0.left[key].map { $0 >= began } ?? false }
    }
}
