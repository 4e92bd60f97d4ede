import Synchronization

/// Runs blocking calls of C libraries on its own threads. Never call such a library from a task: the threads of tasks
/// are few, and the whole provider shares them.
///
/// Each call has a key that names what can freeze as a whole, such as a server. The threads per key are limited, so
/// that a frozen server blocks only the calls that need it. Calls with the same key start in the order in which they
/// were made. With ``Limits/threadsPerKey`` 1 they never overlap, as a session that is not thread-safe requires.
///
/// Make one pool for the process, not one for each domain. Thread-safe.
public final class BlockingCallPool: Sendable {
    /// The limits of a pool. The manifest limits the threads of an extension (`org.docent.limits.processes`, 256 by
    /// default).
    public struct Limits: Sendable, Hashable {
        /// Calls that run at the same time.
        public var threads: Int
        /// Calls of one key that run at the same time, including stuck ones.
        public var threadsPerKey: Int
        /// Calls that no caller waits for any more and that have not returned, in addition to ``threads``.
        public var stuckThreads: Int
        /// Calls that wait for a thread.
        public var waiting: Int

        /// Creates limits. Each value is at least 1.
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

    /// Creates a pool. Threads start when calls need them and end when no call is left.
    ///
    /// - Parameters:
    ///   - limits: the limits on threads and on waiting calls.
    ///   - grace: how long a cancelled call may take to return before it counts as stuck.
    public init(_ limits: Limits = Limits(), grace: Duration = .seconds(1)) {
        state = Mutex(State(queue: BlockingQueue(limits)))
        self.grace = grace
    }

    /// How many calls wait for a thread.
    public var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// Runs a blocking call and waits for it without blocking the task.
    ///
    /// When the task is cancelled or the deadline passes, `interrupt` is called and the call has the pool's grace
    /// period to return. A value that it returns then still counts; an error that it throws then does not. A call that
    /// does not return is abandoned: it keeps its thread and its place among the calls of its key until it returns. It
    /// must therefore not use anything that the caller takes back, such as a pointer to a buffer. Let it use only what
    /// it captured, and call ``BlockingCall/checkCancellation()`` before it changes anything.
    ///
    /// - Parameters:
    ///   - key: what can freeze as a whole, for example the name of a server.
    ///   - deadline: how long the call may take, including the wait for a thread; nil for no limit of its own.
    ///   - interrupt: makes the call return early, for example by `shutdown` of its socket. Called at most once, from
    ///     any thread, and only while the body runs. It must not block.
    ///   - body: the call. It runs on a thread of the pool, outside any task.
    /// - Throws: what the body throws; `CancellationError`; ``FileProviderError``: `serverUnreachable` when the
    ///   deadline has passed or all calls of that key are stuck, `busy` when too many calls wait.
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
                    job, FileProviderError(.serverUnreachable, "\"\(key)\" did not answer within \(deadline)."))
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
            // Under the lock: a cancellation either finds the call in the queue or keeps it from being added.
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

    // A thread continues with the next call and ends when there is none.
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
                    .serverUnreachable, "\"\(other.key)\" does not answer: earlier calls have not returned yet."))
        }
        startThreads()
    }
}
