import Synchronization

/// Runs calls of C libraries that block, on threads of its own: never call such a library from a task itself, whose threads are few and shared
/// by everything that the provider does.
///
/// Calls have a key: what can freeze as one, such as the name of a server. One key has only so many threads, so that a server that is frozen
/// stops nobody but those who want something of it. Calls of one key begin in the order in which they came; with ``Limits/threadsPerKey`` 1 they
/// never run at the same time, which a session needs that is not thread-safe.
///
/// Make one pool for the process, not one for each domain. Thread-safe.
public final class BlockingCallPool: Sendable {
    /// How many threads there may be. The manifest limits the threads of an extension (`org.docent.limits.processes`, 256 unless it says otherwise).
    public struct Limits: Sendable, Hashable {
        /// Calls at the same time.
        public var threads: Int
        /// Calls of one key at the same time, those included that do not return.
        public var threadsPerKey: Int
        /// Calls that nobody waits for any more and that have not returned, beside ``threads``.
        public var stuckThreads: Int
        /// Calls that wait for a thread.
        public var waiting: Int

        /// Limits from their parts; each counts as 1 at least.
        public init(threads: Int = 32, threadsPerKey: Int = 4, stuckThreads: Int = 64, waiting: Int = 1024) {
            self.threads = max(1, threads)
            self.threadsPerKey = max(1, threadsPerKey)
            self.stuckThreads = max(0, stuckThreads)
            self.waiting = max(1, waiting)
        }
    }

    private struct State {
        var queue: BlockingQueue
        var count = 0
    }

    private let state: Mutex<State>
    private let grace: Duration

    /// A pool without threads yet: they come with the calls, and go when none is left.
    ///
    /// - Parameters:
    ///   - limits: how many threads there may be.
    ///   - grace: how long a call that was cancelled has to return before it counts as stuck.
    public init(_ limits: Limits = Limits(), grace: Duration = .seconds(1)) {
        state = Mutex(State(queue: BlockingQueue(limits)))
        self.grace = grace
    }

    /// How many calls wait for a thread.
    public var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// Runs a call that blocks, and waits for it without blocking.
    ///
    /// When the task is cancelled or the time is over, `interrupt` is called, and the call has a moment to return. What it returns then
    /// counts, an error of its own does not. A call that does not return is left behind: it keeps its thread, and its place among the calls of its
    /// key, until it does. So it must not use what the caller takes back, such as a pointer to a buffer: let it use what it captured, and ask
    /// ``BlockingCall/checkCancellation()`` before it changes anything.
    ///
    /// - Parameters:
    ///   - key: what can freeze as one, for example the name of a server.
    ///   - deadline: how long it may take, the time in which it waits for a thread included; nil: as long as the caller.
    ///   - interrupt: makes the call return early, for example by `shutdown` of its socket. Called once at most, from any thread, only while the
    ///     body runs; it must not block.
    ///   - body: the call. It runs on a thread of the pool, outside any task.
    /// - Throws: what the body throws; `CancellationError`; ``FileProviderError``: `serverUnreachable` when the time is over or all calls of
    ///   that key are stuck, `busy` when too many wait.
    public func run<Value: Sendable>(
        for key: String, within deadline: Duration? = nil, interrupt: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (BlockingCall) throws -> Value
    ) async throws -> Value {
        let answer = BlockingAnswer<Value>()
        let call = BlockingCall()
        let job = BlockingJob(
            number: state.withLock { state in
                state.count += 1
                return state.count
            }, key: key, call: call, interrupt: interrupt,
            perform: {
                let result = call.run(body)
                if case .failure = result, let reason = call.reason { return answer.give(.failure(reason)) }
                answer.give(result)
            }, fail: { answer.give(.failure($0)) })
        let timer = deadline.map { deadline in
            Task { [weak self] in
                try await Task.sleep(for: deadline)
                self?.end(
                    job, FileProviderError(.serverUnreachable, "“\(key)” did not answer within \(deadline)."))
            }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try submit(job)
            return try await withCheckedThrowingContinuation { answer.wait($0) }
        } onCancel: {
            end(job, CancellationError())
        }
    }

    private func submit(_ job: BlockingJob) throws {
        try state.withLock { state in
            // Under the lock: whoever cancels it finds it in the queue, or it is not added.
            try job.call.checkCancellation()
            try state.queue.add(job)
        }
        startThreads()
    }

    // MARK: Threads

    private func startThreads() {
        while let job = state.withLock({ $0.queue.next() }) {
            guard !BlockingThread.start({ [self] in work(job) }) else { continue }
            state.withLock { $0.queue.finish(job) }
            job.fail(FileProviderError(.busy, "There are no more threads. Try again later."))
        }
    }

    // A thread goes on with the next call, and ends when there is none.
    private func work(_ first: BlockingJob) {
        var next: BlockingJob? = first
        while let job = next {
            job.perform()
            next = state.withLock { state in
                state.queue.finish(job)
                return state.queue.next()
            }
        }
    }

    // MARK: Ends

    private func end(_ job: BlockingJob, _ error: any Error) {
        let (isFirst, wasWaiting) = state.withLock { state in
            (job.call.end(error), state.queue.remove(job))
        }
        guard isFirst else { return }
        if wasWaiting { return job.fail(error) }
        guard state.withLock({ $0.queue.isRunning(job) }) else { return }
        job.call.interrupt(job.interrupt)
        Task { [self] in
            try? await Task.sleep(for: grace)
            abandon(job, error)
        }
    }

    private func abandon(_ job: BlockingJob, _ error: any Error) {
        guard let hopeless = state.withLock({ $0.queue.abandon(job) }) else { return }
        job.fail(error)
        for other in hopeless {
            other.fail(
                FileProviderError(
                    .serverUnreachable, "“\(other.key)” does not answer: earlier calls have not returned yet."))
        }
        startThreads()
    }
}
