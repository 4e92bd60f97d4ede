/// Runs bodies with the same name one after another. Bodies with different names do not wait for each other.
actor GroupTurns {
    private var last: [String: Task<Void, Never>] = [:]
    private var waiting: [String: Int] = [:]

    /// Runs a body once the earlier bodies of that name have ended.
    func run<Result: Sendable>(
        _ name: String, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let before = last[name]
        let task = Task { () async throws -> Result in
            await before?.value
            return try await body()
        }
        last[name] = Task { _ = try? await task.value }
        waiting[name, default: 0] += 1
        defer {
            waiting[name, default: 1] -= 1
            if waiting[name] == 0 {
                waiting[name] = nil
                last[name] = nil
            }
        }
        return try await task.value
    }
}
