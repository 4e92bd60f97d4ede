/// A place where calls wait until the test releases them. Thread-safe.
package final class CallGate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let opening = AsyncStream<Void>.makeStream()

    package init() {}

    /// Waits until one more call has arrived.
    package func reached() async { for await _ in arrivals.stream { return } }

    /// Releases all calls, including those that arrive later.
    package func open() { opening.continuation.finish() }

    /// Records an arrival without making it wait.
    package func note() { arrivals.continuation.yield() }

    /// Called by the provider.
    func pass() async throws {
        note()
        for await _ in opening.stream {}
        try Task.checkCancellation()
    }
}
