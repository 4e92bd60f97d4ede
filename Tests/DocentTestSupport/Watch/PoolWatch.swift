import CTestSupport
import Foundation
import Glibc
import Synchronization

/// Finds what blocks the threads of Swift's tasks: the cooperative pool has one for each processor, so that a few
/// blocking calls keep everybody else from running.
///
/// Tasks that do nothing are started on the pool every 100 ms. When one has not run after another 100 ms, the threads
/// are looked at: one that runs a task and sleeps in a system call for 300 ms from then on, or computes for ten seconds
/// without letting go, is an offender, and its stack is written into the report, once for each place. A thread that
/// only waits for a processor is none, so that a busy machine finds nobody guilty.
///
/// The report goes to the file `DOCENT_TEST_POOL_REPORT`, else to standard error.
enum PoolWatch {
    private static let interval: UInt32 = 100_000
    /// Where a stall was seen already: the symbols of its stack that are ours.
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

    /// Tasks on the pool that have run or not: one of each priority, because each has threads of its own.
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
