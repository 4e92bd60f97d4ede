import Synchronization

/// Keeps an unnamed file, which is in memory, from growing forever if a provider writes endlessly.
final class GrowthLimit: Sendable {
    /// The greatest length in bytes.
    static let bytes = 256 << 20

    private final class State: Sendable {
        let isExceeded = Mutex(false)
    }

    private let state = State()
    private let task: Task<Void, any Error>

    init(_ file: ContentFile) {
        let state = state
        task = Task {
            while true {
                try await Task.sleep(for: .milliseconds(100))
                guard file.size > Self.bytes else { continue }
                file.sealGrowth()
                state.isExceeded.withLock { $0 = true }
                return
            }
        }
    }

    /// Whether the provider wrote more.
    var isExceeded: Bool { state.isExceeded.withLock { $0 } }

    /// Stops checking.
    func end() { task.cancel() }
}
