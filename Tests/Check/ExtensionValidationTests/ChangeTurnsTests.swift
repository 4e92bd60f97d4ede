import Synchronization
import Testing

@testable import ExtensionValidation

@Suite struct ChangeTurnsTests {
    private final class Record: Sendable {
        let steps = Mutex<[String]>([])

        func add(_ step: String) { steps.withLock { $0.append(step) } }
    }

    private struct Refused: Error {}

    @Test("changes do not overlap, and one that fails does not stop the next")
    func turns() async throws {
        let turns = ChangeTurns()
        let record = Record()
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    _ = try? await turns.run {
                        record.add("begin")
                        await Task.yield()
                        record.add("end")
                        if number % 3 == 0 { throw Refused() }
                    }
                }
            }
        }
        #expect(record.steps.withLock { $0 } == Array(repeating: ["begin", "end"], count: 20).flatMap(\.self))
    }

    @Test("the caller gets the result or the error of its change")
    func results() async throws {
        let turns = ChangeTurns()
        #expect(try await turns.run { 7 } == 7)
        await #expect(throws: Refused.self) { try await turns.run { throw Refused() } }
    }
}
