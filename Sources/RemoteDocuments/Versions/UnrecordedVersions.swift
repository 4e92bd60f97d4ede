import Synchronization

/// Content that is put aside by this process and not recorded yet: it looks like something that nobody refers to.
/// Thread-safe.
package final class UnrecordedVersions: Sendable {
    private let operations = Mutex<Set<String>>([])

    package init() {}

    /// The operations that are putting something aside at this moment. A file that was listed before has its record,
    /// unless its operation is in here.
    package var current: Set<String> { operations.withLock(\.self) }

    /// Runs a body that puts something aside and records it.
    package func withUnrecorded(_ operation: String, _ body: () async throws -> Void) async rethrows {
        operations.withLock { _ = $0.insert(operation) }
        defer { operations.withLock { _ = $0.remove(operation) } }
        try await body()
    }
}
