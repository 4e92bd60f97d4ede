import DocentInterfaces
import FoundationEssentials
import Rights

// An item that moves, or may have moved: under its old identifier there may be another one by now, which must be taken neither
// for it nor for its newest version.
extension RemoteCatalog {
    // How long, in seconds, a move that runs, or one that is looked into, is waited for.
    private static let patience = (running: 60.0, interrupted: 10.0)

    /// The item that moves, an item itself or one above it; nil when all is where it is known to be.
    func movingSource(of key: ItemKey) async throws -> ItemKey? {
        try await moves.source(of: key, in: index)
    }

    /// Waits until an item is where it is known to be.
    ///
    /// - Throws: ``Failure`` `Unavailable` when nobody can tell yet.
    func waitForMove(of key: ItemKey) async throws {
        let began = ContinuousClock.now
        while let source = try await movingSource(of: key) {
            let patience = moves.isMoving(source) ? Self.patience.running : Self.patience.interrupted
            guard .now - began < .seconds(patience) else { throw PendingMoves.unsettled(key) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Refuses to believe what is said of an item that may have moved.
    func requireSettled(_ key: ItemKey) async throws {
        if try await movingSource(of: key) != nil { throw PendingMoves.unsettled(key) }
    }
}
