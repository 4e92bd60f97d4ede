import Dispatch
import FileProvider
import Synchronization
import Testing

/// Blocking calls of C libraries. Each test blocks and releases them itself, so that nothing depends on time.
@Suite(.timeLimit(.minutes(2))) struct BlockingCallPoolTests {
    /// A call that blocks until it is released, like one to a frozen server.
    private final class Frozen: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        let starts: AsyncStream<Void>
        private let started: AsyncStream<Void>.Continuation
        let count = Shared(0)

        init() { (starts, started) = AsyncStream.makeStream(of: Void.self) }

        func block() {
            count.change { $0 += 1 }
            started.yield()
            gate.wait()
        }

        func letGo(_ number: Int = 1) { for _ in 0..<number { gate.signal() } }

        func waitForStarts(_ number: Int) async {
            var left = number
            for await _ in starts {
                left -= 1
                if left == 0 { return }
            }
        }
    }

    /// A value that calls and the test share.
    private final class Shared<Value: Sendable>: Sendable {
        private let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }

        var current: Value { value.withLock { $0 } }

        @discardableResult
        func change<Result>(_ body: (inout Value) -> sending Result) -> Result { value.withLock { body(&$0) } }
    }

    private func eventually(_ isDone: @Sendable () async -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while await !isDone() {
            guard ContinuousClock.now < deadline else {
                Issue.record("the condition was not met")
                return
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("a caller gets what its call returns or throws")
    func outcome() async throws {
        let pool = BlockingCallPool()
        #expect(try await pool.run(for: "a") { _ in 42 } == 42)
        let error = await #expect(throws: FileProviderError.self) {
            try await pool.run(for: "a") { _ in throw FileProviderError(.noSuchItem, "It is gone.") }
        }
        #expect(error?.code == .noSuchItem)
    }

    @Test("a frozen server occupies only its own threads, and other calls continue")
    func frozenServer() async throws {
        let pool = BlockingCallPool(.init(threads: 8, threadsPerKey: 2))
        let frozen = Frozen()
        let stuck = (0..<20).map { _ in Task { try await pool.run(for: "frozen") { _ in frozen.block() } } }
        await frozen.waitForStarts(2)
        for number in 0..<50 { #expect(try await pool.run(for: "other \(number % 5)") { _ in number } == number) }
        #expect(frozen.count.current == 2, "the rest of them wait")
        frozen.letGo(20)
        for task in stuck { try await task.value }
        #expect(frozen.count.current == 20)
    }

    @Test("calls of one key with one thread never overlap, and begin in the order in which they came")
    func serial() async throws {
        let pool = BlockingCallPool(.init(threadsPerKey: 1))
        let first = Frozen()
        let order = Shared<[Int]>([])
        let running = Shared(0)
        let holder = Task { try await pool.run(for: "s") { _ in first.block() } }
        await first.waitForStarts(1)
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<10 {
            let (queued, note) = AsyncStream.makeStream(of: Void.self)
            tasks.append(
                Task {
                    note.yield()
                    try await pool.run(for: "s") { _ in
                        let others = running.change { running -> Int in
                            running += 1
                            return running
                        }
                        if others == 1 { order.change { $0.append(number) } }
                        running.change { $0 -= 1 }
                    }
                })
            for await _ in queued { break }
            try await eventually { pool.waitingCount == number + 1 }
        }
        first.letGo()
        try await holder.value
        for task in tasks { try await task.value }
        #expect(order.current == Array(0..<10))
    }

    @Test("cancelling the task of a waiting call withdraws it, and it never runs")
    func cancelsWaiting() async throws {
        let pool = BlockingCallPool(.init(threadsPerKey: 1))
        let frozen = Frozen()
        let hasRun = Shared(false)
        let holder = Task { try await pool.run(for: "s") { _ in frozen.block() } }
        await frozen.waitForStarts(1)
        let waiting = Task { try await pool.run(for: "s") { _ in hasRun.change { $0 = true } } }
        try await eventually { pool.waitingCount == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        frozen.letGo()
        try await holder.value
        #expect(try await pool.run(for: "s") { _ in hasRun.current } == false)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pool.run(for: "s") { _ in hasRun.change { $0 = true } }
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(!hasRun.current)
    }

    @Test("a running call is interrupted once; an error after that ends it as cancelled, a result counts")
    func interrupts() async throws {
        let pool = BlockingCallPool(grace: .seconds(60))
        for returns in [true, false] {
            let frozen = Frozen()
            let interrupts = Shared(0)
            let task = Task {
                try await pool.run(
                    for: "s",
                    interrupt: {
                        interrupts.change { $0 += 1 }
                        frozen.letGo()
                    },
                    { call in
                        frozen.block()
                        guard call.isCancelled else { return "not told" }
                        guard returns else { throw FileProviderError(.failed, "The connection was shut down.") }
                        return "done"
                    })
            }
            await frozen.waitForStarts(1)
            task.cancel()
            if returns {
                #expect(try await task.value == "done")
            } else {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(interrupts.current == 1)
        }
    }

    @Test("a stuck call is abandoned: its caller continues, its key is refused at once, other keys keep their threads")
    func stuck() async throws {
        let pool = BlockingCallPool(.init(threads: 2, threadsPerKey: 2), grace: .milliseconds(10))
        let frozen = Frozen()
        let tasks = (0..<2).map { _ in
            Task { try await pool.run(for: "frozen", within: .milliseconds(50)) { _ in frozen.block() } }
        }
        await frozen.waitForStarts(2)
        let waiting = Task { try await pool.run(for: "frozen") { _ in } }
        for task in tasks {
            let error = await #expect(throws: FileProviderError.self) { try await task.value }
            #expect(error?.code == .serverUnreachable)
        }
        let hopeless = await #expect(throws: FileProviderError.self) { try await waiting.value }
        #expect(hopeless?.code == .serverUnreachable)
        let refused = await #expect(throws: FileProviderError.self) { try await pool.run(for: "frozen") { _ in } }
        #expect(refused?.code == .serverUnreachable)
        #expect(try await pool.run(for: "other") { _ in 1 } == 1, "stuck calls occupy both threads")
        frozen.letGo(2)
        try await eventually { (try? await pool.run(for: "frozen") { _ in true }) == true }
    }

    @Test("stuck calls beyond their allowance take threads from other keys, but never exceed the total")
    func threadLimit() async throws {
        let pool = BlockingCallPool(
            .init(threads: 1, threadsPerKey: 1, stuckThreads: 1), grace: .milliseconds(1))
        let frozen = Frozen()
        for key in ["a", "b"] {
            await #expect(throws: FileProviderError.self) {
                try await pool.run(for: key, within: .milliseconds(20)) { _ in frozen.block() }
            }
        }
        let third = Task { try await pool.run(for: "c", within: .milliseconds(50)) { _ in } }
        let error = await #expect(throws: FileProviderError.self) { try await third.value }
        #expect(error?.code == .serverUnreachable)
        frozen.letGo(2)
        try await eventually { (try? await pool.run(for: "c", within: .seconds(60)) { _ in true }) == true }
    }

    @Test("the number of waiting calls is limited")
    func waitingLimit() async throws {
        let pool = BlockingCallPool(.init(threads: 1, waiting: 2))
        let frozen = Frozen()
        let tasks = (0..<3).map { _ in Task { try await pool.run(for: "s") { _ in frozen.block() } } }
        await frozen.waitForStarts(1)
        try await eventually { pool.waitingCount == 2 }
        let error = await #expect(throws: FileProviderError.self) { try await pool.run(for: "t") { _ in } }
        #expect(error?.code == .busy)
        frozen.letGo(3)
        for task in tasks { try await task.value }
    }
}
