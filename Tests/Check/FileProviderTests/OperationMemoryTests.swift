import Testing

@testable import FileProvider

@Suite struct OperationMemoryTests {
    private let operation = ChangeOperation(identifier: "one", digest: nil)

    @Test("W9: a caller that joins a cancelled operation is not cancelled; the operation runs again")
    func joinsTheCancelled() async throws {
        let memory = OperationMemory<Int>()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, cancel) = AsyncStream.makeStream(of: Void.self)
        let first = Task { [operation] in
            try await memory.run(operation) { _ in
                start.yield()
                do {
                    try await Task.sleep(for: .seconds(600))
                } catch {
                    cancel.yield()
                    // The cancelled call takes a while to end.
                    await Task { try? await Task.sleep(for: .milliseconds(200)) }.value
                    throw error
                }
                return 1
            }
        }
        for await _ in started { break }
        first.cancel()
        for await _ in cancelled { break }
        let second = try await memory.run(operation) { _ in 2 }
        #expect(second == 2)
        await #expect(throws: CancellationError.self) { try await first.value }
        let again = try await memory.run(operation) { _ in 3 }
        #expect(again == 2, "a success is remembered")
    }
}
