import Dispatch

/// Runs an actor on threads that may block, because the actor writes to disk, encrypts and folds.
final class DriveExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "org.docent.drive")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
