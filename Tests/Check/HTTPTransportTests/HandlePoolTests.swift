import Synchronization
import Testing

@testable import HTTPTransport

@Suite struct HandlePoolTests {
    private struct Seen: Sendable { weak let handle: HTTPHandle? }

    private final class Noted: Sendable {
        let handles = Mutex<[Seen]>([])
        let count = Mutex(0)
    }

    @Test("After a burst few handles stay open, so that an extension's descriptors suffice for many domains")
    func shrinks() async throws {
        let pool = HandlePool(limit: 8)
        let noted = Noted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await pool.with { handle in
                        noted.handles.withLock { $0.append(Seen(handle: handle)) }
                        // All eight at once: none is returned before all are in use.
                        while noted.handles.withLock({ $0.count < 8 }) { try await Task.sleep(for: .milliseconds(1)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(noted.handles.withLock { $0.count { $0.handle != nil } } <= 2)
        try await pool.with { _ in }
    }

    @Test("A waiting caller gets a handle that is returned, even with more callers than handles")
    func serves() async throws {
        let pool = HandlePool(limit: 2)
        let noted = Noted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await pool.with { _ in
                        await Task.yield()
                        noted.count.withLock { $0 += 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(noted.count.withLock { $0 } == 50)
    }
}
