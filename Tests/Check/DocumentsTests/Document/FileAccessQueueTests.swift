import DocentTestSupport
import Testing

@testable import Documents

/// Waiting for a turn in a task that prefers an executor. On the main actor it is suspended wherever it could hop,
/// also between a look at the state and the call of a continuation's body.
@Suite @MainActor struct FileAccessQueueTests {
    private final class Progress {
        var held: CheckedContinuation<Void, Never>?
        var isDone = false
        var ran: [String] = []
    }

    /// Runs something on the main actor when its queue has come round that many times.
    private static func after(_ turns: Int, _ body: @escaping @MainActor () -> Void) {
        if turns == 0 { body() } else { Task { after(turns - 1, body) } }
    }

    private static func isSoon(_ condition: () -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while !condition(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
        return condition()
    }

    private static func enter(_ queue: FileAccessQueue, _ progress: Progress, _ turns: Int) async {
        after(turns) { progress.held?.resume() }
        await queue.run {}
        progress.isDone = true
    }

    private static func wait(_ relinquished: Relinquishment, _ progress: Progress, _ turns: Int) async {
        let number = relinquished.begin()
        after(turns) { relinquished.reacquire(number) }
        await relinquished.end()
        progress.isDone = true
    }

    @Test("an access that asks for its turn while another one ends gets the turn")
    func endsMeanwhile() async throws {
        for round in 0..<200 {
            let (queue, progress) = (FileAccessQueue(), Progress())
            Task { await queue.run { await withCheckedContinuation { progress.held = $0 } } }
            try #require(try await Self.isSoon { progress.held != nil })
            Task {
                await withTaskExecutorPreference(TestThreads.shared) { await Self.enter(queue, progress, round % 3) }
            }
            try #require(try await Self.isSoon { progress.isDone }, "round \(round)")
        }
    }

    @Test("urgent accesses are dismissed while the one that has the turn waits for others, and run afterwards")
    func dismissed() async throws {
        let (queue, progress) = (FileAccessQueue(), Progress())
        Task { await queue.run { await withCheckedContinuation { progress.held = $0 } } }
        try #require(try await Self.isSoon { progress.held != nil })
        let holder = Task {
            await queue.run {
                await queue.dismissingUrgent {
                    #expect(await queue.runUrgently { progress.ran.append("meanwhile") } == nil)
                }
            }
        }
        let waiting = Task { await queue.runUrgently { progress.ran.append("before") } }
        progress.held?.resume()
        await holder.value
        _ = await waiting.value
        #expect(await queue.runUrgently { progress.ran.append("after") } != nil)
        #expect(!progress.ran.contains("meanwhile") && progress.ran.last == "after", "\(progress.ran)")
    }

    @Test("a save that waits while others give the file back goes on")
    func givenBackMeanwhile() async throws {
        for round in 0..<40 {
            let (relinquished, progress) = (Relinquishment(), Progress())
            Task {
                await withTaskExecutorPreference(TestThreads.shared) {
                    await Self.wait(relinquished, progress, round % 5)
                }
            }
            try #require(try await Self.isSoon { progress.isDone }, "round \(round)")
        }
    }
}
