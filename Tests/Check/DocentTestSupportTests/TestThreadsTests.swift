import Glibc
import Testing

@testable import DocentTestSupport

@Suite struct TestThreadsTests {
    @Test("tests that block do not prevent each other from running, however many they are")
    func blocking() async {
        // Each blocks until all have started, which a pool of a few threads could not achieve.
        let count = 40
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let (reading, writing) = (ends[0], ends[1])
        await withTaskExecutorPreference(TestThreads.shared) {
            await withTaskGroup { group in
                for _ in 0..<count {
                    group.addTask {
                        var byte: UInt8 = 0
                        _ = read(reading, &byte, 1)
                    }
                }
                group.addTask {
                    let bytes = [UInt8](repeating: 1, count: count)
                    _ = write(writing, bytes, count)
                }
            }
        }
        close(reading)
        close(writing)
    }
}
