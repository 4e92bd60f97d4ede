import Foundation

/// The threads for admitted tests: as many as needed, so that a blocking test does not keep others from running.
///
/// Child tasks also run here. Unstructured tasks, and tasks started by the code under test, stay on the cooperative
/// pool, which ``PoolWatch`` monitors.
///
/// Unchecked, because the compiler does not see that `condition` guards all variables.
package final class TestThreads: TaskExecutor, @unchecked Sendable {
    package static let shared = TestThreads()

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var idle = 0

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            if idle < jobs.count { startThread() }
            condition.signal()
        }
    }

    private func startThread() {
        let thread = Thread { [self] in
            while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
        thread.name = "test"
        thread.start()
    }

    /// The next job; nil when none arrived for a while.
    private func next() -> UnownedJob? {
        condition.withLock {
            let end = Date().addingTimeInterval(10)
            while jobs.isEmpty {
                idle += 1
                let isAwoken = condition.wait(until: end)
                idle -= 1
                if !isAwoken, jobs.isEmpty { return nil }
            }
            return jobs.removeFirst()
        }
    }
}
