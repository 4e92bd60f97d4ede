/// Reports the progress of a transfer to the host, which also extends the deadline.
public struct TransferProgress: Sendable {
    private let report: @Sendable (_ completed: Int, _ total: Int?) async throws -> Void
    private let tell: @Sendable (_ completed: Int, _ total: Int?) -> Void

    /// Creates a progress whose reports go nowhere, for tests.
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

    /// Reports progress. Frequent reports are reduced to a few a second.
    ///
    /// - Parameters:
    ///   - completed: How many bytes are done.
    ///   - total: How many bytes there are in total, if known.
    /// - Throws: `CancellationError` when the content is no longer wanted.
    public func report(completed: Int, total: Int?) async throws {
        try Task.checkCancellation()
        try await report(completed, total)
    }

    /// Reports progress from code that cannot wait: a report is dropped if the host is slow to read. Frequent reports
    /// are reduced as in ``report(completed:total:)``. Call `Task.checkCancellation()` to see whether the content is
    /// still wanted.
    ///
    /// - Parameters:
    ///   - completed: How many bytes are done.
    ///   - total: How many bytes there are in total, if known.
    public func note(completed: Int, total: Int?) { tell(completed, total) }
}
