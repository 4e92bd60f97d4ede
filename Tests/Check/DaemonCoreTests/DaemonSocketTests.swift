import HostTesting
import Storage
import Testing

@testable import DaemonCore

/// The lock beside the socket that any client may connect to.
@Suite(.timeLimit(.minutes(5))) struct DaemonSocketTests {
    @Test("D1: a daemon that starts waits for the lock of one that is ending, and blocks no thread meanwhile")
    func waits() async throws {
        let directory = try TemporaryDirectory()
        let layout = StorageLayout(dataDirectory: directory.path + "/data", runtimeDirectory: directory.path + "/run")
        try layout.prepare()
        var held = try InstanceLock.acquire(at: layout.socketLockPath)
        #expect(held != nil)
        let next = Task { try await DaemonSocket(layout: layout, given: nil) }
        // These tests have a single thread. If the wait blocked it, the lock would be released too late.
        await Task.yield()
        held = nil
        _ = try await next.value
    }
}
