/// Decides which blocking call gets a thread next. Pure.
struct BlockingQueue {
    private struct Key {
        var running = 0
        var stuck = 0
    }

    private let limits: BlockingCallPool.Limits
    private var waiting: [BlockingJob] = []
    private var keys: [String: Key] = [:]
    private var stuckJobs: Set<Int> = []
    private var runningJobs: Set<Int> = []

    init(_ limits: BlockingCallPool.Limits) { self.limits = limits }

    /// How many calls wait for a thread.
    var waitingCount: Int { waiting.count }

    /// Adds a call to the queue.
    ///
    /// - Throws: ``FileProviderError/Code/serverUnreachable`` when all calls that its key may have are stuck,
    ///   ``FileProviderError/Code/busy`` when too many calls wait already.
    mutating func add(_ job: BlockingJob) throws(FileProviderError) {
        guard keys[job.key]?.stuck ?? 0 < limits.threadsPerKey else {
            throw FileProviderError(
                .serverUnreachable, "\"\(job.key)\" does not answer: earlier calls have not returned yet.")
        }
        guard waiting.count < limits.waiting else {
            throw FileProviderError(.busy, "\(limits.waiting) calls wait already. Try again later.")
        }
        waiting.append(job)
    }

    /// Takes the next call that may run and counts it as running: the first one whose key has room.
    mutating func next() -> BlockingJob? {
        // Stuck calls beyond their allowance reduce the room for others: the number of threads is limited.
        let taken = runningJobs.count + max(0, stuckJobs.count - limits.stuckThreads)
        guard taken < limits.threads,
            let index = waiting.firstIndex(where: { job in
                let key = keys[job.key] ?? Key()
                return key.running + key.stuck < limits.threadsPerKey
            })
        else { return nil }
        let job = waiting.remove(at: index)
        keys[job.key, default: Key()].running += 1
        runningJobs.insert(job.number)
        return job
    }

    /// Whether a call is running and a caller still waits for it.
    func isRunning(_ job: BlockingJob) -> Bool { runningJobs.contains(job.number) }

    /// Removes a waiting call; false if it is not waiting.
    mutating func remove(_ job: BlockingJob) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.number == job.number }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Marks a running call as stuck: no caller waits for it any more. Its key stays occupied until it returns.
    ///
    /// - Returns: the calls of the same key that wait in vain because all of its calls are stuck now; nil if the call
    ///   is not running.
    mutating func abandon(_ job: BlockingJob) -> [BlockingJob]? {
        guard runningJobs.remove(job.number) != nil else { return nil }
        stuckJobs.insert(job.number)
        keys[job.key]?.running -= 1
        keys[job.key]?.stuck += 1
        guard keys[job.key]?.stuck ?? 0 >= limits.threadsPerKey else { return [] }
        let hopeless = waiting.filter { $0.key == job.key }
        waiting.removeAll { $0.key == job.key }
        return hopeless
    }

    /// Removes a call that has returned.
    mutating func finish(_ job: BlockingJob) {
        if runningJobs.remove(job.number) != nil {
            keys[job.key]?.running -= 1
        } else if stuckJobs.remove(job.number) != nil {
            keys[job.key]?.stuck -= 1
        }
        if let key = keys[job.key], key.running == 0, key.stuck == 0 { keys[job.key] = nil }
    }
}
