package import Rights

/// The coordination among clients that moving and deleting need (SEMANTICS 2): a writing claim around the change, and
/// notice to the items' presenters.
package protocol ItemCoordination: Sendable {
    /// Runs the body under a claim for moving: the client's (`claim`), or one for this moment only. Presenters are
    /// notified once the move is done.
    ///
    /// - Parameter session: nil for a move that no client asked for.
    func withMove<Result: Sendable>(
        _ session: Session?, claim: String?, from key: ItemKey, toFolder folder: ItemKey, name: String,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result

    /// Runs the body under a claim for deleting; presenters have accommodated the deletion before.
    func withDelete<Result: Sendable>(
        _ session: Session?, claim: String?, _ key: ItemKey, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result
}
