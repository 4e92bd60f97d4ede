import Saving
import Synchronization
import Testing

/// Waiting for several things at a time.
@Suite struct JointWaitTests {
    @Test("all waits begin before the first ends, so that each may depend on the others")
    func together() async throws {
        let begun = Mutex(0)
        let done = Mutex<Set<Int>>([])
        // Waiting for one after the other would take an hour for the first.
        await JointWait.forEach([1, 2, 3], atMost: .seconds(3600)) { number in
            begun.withLock { $0 += 1 }
            while begun.withLock({ $0 }) < 3 { await Task.yield() }
            done.withLock { _ = $0.insert(number) }
        }
        #expect(done.withLock { $0 } == [1, 2, 3])
    }

    @Test("one time limit applies to all of them, and unfinished work continues")
    func patience() async throws {
        let mayEnd = AsyncStream.makeStream(of: Void.self)
        let ended = AsyncStream.makeStream(of: Int.self)
        let hanging = Task { for await _ in mayEnd.stream {} }
        await JointWait.forEach([1, 2, 3], atMost: .milliseconds(50)) { number in
            await hanging.value
            ended.continuation.yield(number)
        }
        mayEnd.continuation.finish()
        var left: Set<Int> = []
        for await number in ended.stream {
            left.insert(number)
            if left.count == 3 { break }
        }
        #expect(left == [1, 2, 3])
    }

    @Test("an empty list does not wait")
    func nothing() async {
        await JointWait.forEach([Int](), atMost: .seconds(3600)) { _ in }
    }
}
