import CTestSupport
import Foundation
import Glibc
import Synchronization

/// Finds what blocks the threads of Swift's tasks: the cooperative pool has one for each processor, so that a few blocking calls keep
/// everybody else from running.
///
/// A task that does nothing is started on the pool every 100 ms. When it has not run after another 100 ms, the threads are looked at: one
/// that runs a task and sleeps in a system call all the while, or computes for ten seconds without letting go, is an offender, and its stack is
/// written into the report, once for each place. A thread that only waits for a processor is none, so that a busy machine finds nobody guilty.
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
            Task.detached { probe.isDone.store(true, ordering: .releasing) }
            usleep(interval)
            var stalls = 0
            while !probe.isDone.load(ordering: .acquiring) {
                // The first look, and another each ten seconds that it lasts.
                if stalls % 100 == 0 { investigate(probe, isLong: stalls > 0) }
                stalls += 1
                usleep(interval)
            }
        }
    }

    /// A task on the pool that has run or not.
    private final class Probe: Sendable {
        let isDone = Atomic(false)
    }

    private static func investigate(_ probe: Probe, isLong: Bool) {
        let before = ThreadSample.all()
        usleep(interval)
        let after = ThreadSample.all()
        guard !probe.isDone.load(ordering: .acquiring) else { return }
        for (thread, sample) in after {
            guard let earlier = before[thread], let conduct = sample.conduct(since: earlier, microseconds: interval),
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
