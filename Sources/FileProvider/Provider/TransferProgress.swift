/// Tells the host how far a transfer has come, which also extends its deadline (complaint 2).
public struct TransferProgress: Sendable {
    private let report: @Sendable (_ completed: Int, _ total: Int?) async throws -> Void

    /// A progress that nobody follows, for tests.
    public init() { report = { _, _ in } }

    init(_ report: @escaping @Sendable (Int, Int?) async throws -> Void) { self.report = report }

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
}
