import CommandConsole

/// Runs each job of a task on a thread of its own, so that it may block: it waits for a person.
final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // Where there are no more threads, the caller's has to do.
        if !Thread.start({ job.runSynchronously(on: executor) }) { job.runSynchronously(on: executor) }
    }
}
