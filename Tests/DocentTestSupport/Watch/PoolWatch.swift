import CTestSupport
import Foundation
import Glibc
import Synchronization

/// Finds code that blocks the threads of Swift's tasks. The cooperative pool has one thread per processor, so a few
/// blocking calls keep everything else from running.
///
/// Every 100 ms it starts empty tasks on the pool. When one has not run after another 100 ms, it checks the threads. A
/// thread is reported if it runs a task and then sleeps in a system call for 300 ms, or computes for ten seconds
/// without yielding. Its stack is written into the report, once per place. A thread that only waits for a processor is
/// not reported, so a busy machine causes no false reports.
///
/// The report goes to the file `DOCENT_TEST_POOL_REPORT`, or to standard error.
enum PoolWatch {
    private static let interval: UInt32 = 100_000
    /// The places that were already reported: the symbols of our own code on the stack.
    private static let reported = Mutex<Set<String>>([])

    static func begin() { _ = ctest_start_thread { PoolWatch.watch() } }

    private static func watch() {
        while true {
            usleep(interval)
            let probe = Probe()
            probe.start()
            usleep(interval)
            let begin = ContinuousClock.now
            while !probe.isDone {
                investigate(probe, isLong: ContinuousClock.now - begin > .seconds(10))
                usleep(interval)
            }
        }
    }

    /// Tasks on the pool, one per priority because each priority has its own threads, and whether they have run.
    private final class Probe: Sendable {
        private static let priorities: [TaskPriority] = [.high, .medium, .low, .background]
        private let waiting = Atomic(Probe.priorities.count)

        func start() {
            for priority in Self.priorities {
                Task.detached(priority: priority) { self.waiting.subtract(1, ordering: .releasing) }
            }
        }

        var isDone: Bool { waiting.load(ordering: .acquiring) == 0 }
    }

    private static func investigate(_ probe: Probe, isLong: Bool) {
        let before = ThreadSample.all()
        usleep(3 * interval)
        let after = ThreadSample.all()
        guard !probe.isDone else { return }
        for (thread, sample) in after {
            guard let earlier = before[thread],
                let conduct = sample.conduct(since: earlier, microseconds: 3 * interval),
                conduct == .sleeps || isLong
            else { continue }
            guard let stack = TaskStack(thread: thread) else { continue }
            guard reported.withLock({ $0.insert(stack.place).inserted }) else { continue }
            report("\(conduct):\n\(stack)  while these tests ran: \(RunningTests.all.joined(separator: ", "))\n\n")
        }
    }

    private static func report(_ text: String) {
        let path = ProcessInfo.processInfo.environment["DOCENT_TEST_POOL_REPORT"] ?? "/dev/stderr"
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array("A thread of Swift's tasks \(text)".utf8)
        _ = write(file, bytes, bytes.count)
    }
}

/// Called by the constructor in CTestSupport, before any test.
@c(docent_test_support_begin) func beginTestSupport() {
    #if DEBUG
    PoolWatch.begin()
    #endif
}
