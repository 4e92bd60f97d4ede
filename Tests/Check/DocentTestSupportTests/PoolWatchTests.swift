import Dispatch
import Foundation
import Glibc
import Testing

@testable import DocentTestSupport

/// Each in its own process, because a report of the watch makes a run fail.
@Suite struct PoolWatchTests {
    @Test("a task that sleeps in a system call is reported with its place")
    func sleeping() async {
        await #expect(processExitsWith: .success) {
            let report = Report()
            let isThere = report.waiting()
            await Self.onThePool {
                // One long sleep: a thread that only polls a file would not be asleep all the time.
                var watched = pollfd(fd: isThere, events: 0, revents: 0)
                _ = poll(&watched, 1, -1)
            }
            let text = report.take()
            exit(text.contains("sleeps") && text.contains("docentPackageTests") ? 0 : 1)
        }
    }

    @Test("a task that computes for a while, or sleeps on its own queue or thread, is not reported")
    func harmless() async {
        await #expect(processExitsWith: .success) {
            let report = Report()
            for _ in 0..<4 { DispatchQueue(label: "own").async { usleep(1_500_000) } }
            for _ in 0..<4 { Thread.detachNewThread { usleep(1_500_000) } }
            await Self.onThePool {
                let end = ContinuousClock.now + .milliseconds(1_500)
                while .now < end {}
            }
            exit(report.take().isEmpty ? 0 : 1)
        }
    }

    @Test("a test that may block its thread is not reported", .mayBlock)
    func allowed() async {
        await #expect(processExitsWith: .success) {
            let report = Report()
            await withTaskExecutorPreference(TestThreads.shared) { await Self.onThePool { usleep(1_500_000) } }
            exit(report.take().isEmpty ? 0 : 1)
        }
    }

    /// Runs it in more child tasks than the pool has threads.
    private static func onThePool(_ body: @escaping @Sendable () -> Void) async {
        await withTaskGroup { group in
            for _ in 0..<(2 * ProcessInfo.processInfo.activeProcessorCount) { group.addTask { body() } }
        }
    }

    /// Where this process's watch reports to from now on.
    private struct Report {
        let path = "\(NSTemporaryDirectory())docent-pool-\(getpid())"

        init() { setenv("DOCENT_TEST_POOL_REPORT", path, 1) }

        /// A descriptor that becomes readable when something was reported, or nothing has been for two minutes.
        func waiting() -> CInt {
            var ends: [CInt] = [-1, -1]
            pipe(&ends)
            Thread.detachNewThread { [path, ends] in
                var status = stat()
                for _ in 0..<2_400 where stat(path, &status) != 0 || status.st_size == 0 { usleep(50_000) }
                close(ends[1])
            }
            return ends[0]
        }

        /// The report. Its file is deleted with it.
        func take() -> String {
            defer { unlink(path) }
            return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        }
    }
}
