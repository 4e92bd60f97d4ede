package import Rights

/// What moving and deleting asks of the coordination among clients (SEMANTICS 2): a writing claim around the change, and word
/// to those who present the items.
package protocol ItemCoordination: Sendable {
    /// Runs the body while a claim for moving is held, of the client (`claim`) or for this moment; presenters hear of the
    /// move when it was done.
    ///
    /// - Parameter session: nil for what no client asked for.
    func withMove<Result: Sendable>(
        _ session: Session?, claim: String?, from key: ItemKey, toFolder folder: ItemKey, name: String,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result

    /// Runs the body while a claim for deleting is held; presenters have accommodated the deletion before.
    func withDelete<Result: Sendable>(
        _ session: Session?, claim: String?, _ key: ItemKey, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result
}
