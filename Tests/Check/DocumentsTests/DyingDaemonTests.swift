import DocentTestSupport
import Testing
import Varlink

@testable import Documents

/// Connecting while the daemon exits (D2, D3).
@Suite(.mayBlock) struct DyingDaemonTests {
    @Test("D3: a daemon that refuses connections before its session closes is waited for, and its successor used")
    func slowDeath() async throws {
        let daemon = try FakeDaemon { _, _ in }
        let client = daemon.client()
        defer { client.close() }
        let (first, epoch) = try await client.takeWithoutBlocking(fresh: true)
        let death = try daemon.dieSlowly(after: .milliseconds(300))
        let (second, next) = try await Self.connect(client)
        try await death.value
        #expect(next != epoch)
        #expect(daemon.life == 2)
        first.close()
        second.close()
    }

    // Nothing starts a daemon here, so for a moment none answers.
    private static func connect(_ client: DocumentsClient) async throws -> (VarlinkConnection, Int) {
        for _ in 0..<600 {
            do {
                return try await client.takeWithoutBlocking(fresh: true)
            } catch let error as DocumentsError {
                guard error.code == .unavailable else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        return try await client.takeWithoutBlocking(fresh: true)
    }
}
