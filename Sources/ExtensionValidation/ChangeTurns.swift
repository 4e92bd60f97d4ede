/// Runs changes one after another.
actor ChangeTurns {
    private var last: Task<Void, Never>?

    /// Runs a change when the earlier ones are done.
    func run<Result: Sendable>(_ change: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let before = last
        let task = Task {
            await before?.value
            return try await change()
        }
        last = Task { _ = try? await task.value }
        return try await task.value
    }
}
