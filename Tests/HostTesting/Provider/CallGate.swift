/// A place at which calls wait until the test lets them go on. Thread-safe.
package final class CallGate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let opening = AsyncStream<Void>.makeStream()

    package init() {}

    /// Waits until one more call has arrived.
    package func reached() async { for await _ in arrivals.stream { return } }

    /// Lets every call go on, those that arrive later too.
    package func open() { opening.continuation.finish() }

    /// Notes that something has arrived, without making it wait.
    package func note() { arrivals.continuation.yield() }

    /// Called by the provider.
    func pass() async throws {
        note()
        for await _ in opening.stream {}
        try Task.checkCancellation()
    }
}
