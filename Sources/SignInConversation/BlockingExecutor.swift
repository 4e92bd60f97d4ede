import CommandConsole

/// Runs each job of a task on a separate thread, so that it may block while it waits for a person.
final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // If no thread can be started, the job runs on the caller's.
        if !Thread.start({ job.runSynchronously(on: executor) }) { job.runSynchronously(on: executor) }
    }
}
