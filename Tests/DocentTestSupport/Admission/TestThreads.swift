import Foundation

/// The threads on which admitted tests run: as many as are needed, so that a test which blocks keeps nobody else from
/// running.
///
/// Child tasks run here too. Unstructured tasks, and whatever the code under test starts by itself, stay on the
/// cooperative pool, which ``PoolWatch`` looks after.
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

    /// The next job; nil when none came for a while.
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
