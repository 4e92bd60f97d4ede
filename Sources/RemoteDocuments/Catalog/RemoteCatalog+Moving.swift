import DocentInterfaces
import FoundationEssentials
import Rights

// Items that move or may have moved. Their old identifier may belong to another item by now, which must not be mistaken
// for the moved item or its newest version.
extension RemoteCatalog {
    // How long, in seconds, to wait for a running move, and for an interrupted one that is being checked.
    private static let patience = (running: 60.0, interrupted: 10.0)

    /// The item that moves: the given item or one above it. Nil when all of them are where the index has them.
    func movingSource(of key: ItemKey) async throws -> ItemKey? {
        try await moves.source(of: key, in: index)
    }

    /// Waits until an item is where the index has it.
    ///
    /// - Throws: ``Failure`` `Unavailable` when the outcome of the move is still unknown.
    func waitForMove(of key: ItemKey) async throws {
        let began = ContinuousClock.now
        while let source = try await movingSource(of: key) {
            let patience = moves.isMoving(source) ? Self.patience.running : Self.patience.interrupted
            guard .now - began < .seconds(patience) else { throw PendingMoves.unsettled(key) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Refuses a description of an item that may have moved.
    func requireSettled(_ key: ItemKey) async throws {
        if try await movingSource(of: key) != nil { throw PendingMoves.unsettled(key) }
    }
}
