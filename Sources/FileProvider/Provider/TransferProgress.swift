/// Tells the host how far a transfer has come, which also extends its deadline (complaint 2).
public struct TransferProgress: Sendable {
    private let report: @Sendable (_ completed: Int, _ total: Int?) async throws -> Void
    private let tell: @Sendable (_ completed: Int, _ total: Int?) -> Void

    /// A progress that nobody follows, for tests.
    public init() {
        report = { _, _ in }
        tell = { _, _ in }
    }

    init(
        _ report: @escaping @Sendable (Int, Int?) async throws -> Void,
        tell: @escaping @Sendable (Int, Int?) -> Void = { _, _ in }
    ) {
        self.report = report
        self.tell = tell
    }

    /// Tells how much is done. Reports are thinned out to a few a second.
    ///
    /// - Parameters:
    ///   - completed: How many bytes are done.
    ///   - total: How many there will be, if known.
    /// - Throws: `CancellationError` when nobody wants the content any more.
    public func report(completed: Int, total: Int?) async throws {
        try Task.checkCancellation()
        try await report(completed, total)
    }

    /// Tells how much is done, from code that does not wait: where the host is slow to listen, nothing is told. Thinned out like
    /// ``report(completed:total:)``. Whether the content still is wanted, `Task.checkCancellation()` tells.
    ///
    /// - Parameters:
    ///   - completed: How many bytes are done.
    ///   - total: How many there will be, if known.
    public func note(completed: Int, total: Int?) { tell(completed, total) }
}
