import DaemonCore
import DocentTestSupport
import Foundation
import HostTesting
import Rights
import Testing

/// The services together, as the daemon and the tests assemble them.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct HostAssemblyTests {
    private static var openFiles: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    private static func use() async throws {
        try await TestHost.with { host in
            for kind in [TestProviderKind.inPlace, .remote] {
                let key = kind.key(host.store(kind).add("a.txt", "old"))
                try await host.grant(key)
                let client = host.client()
                try await client.begin(key, "new", operation: kind.rawValue)
                try await client.commit(kind.rawValue)
                try await client.begin(key, "half", operation: kind.rawValue + "-again")
            }
        }
    }

    @Test("Services that have ended leave no file, connection or database open in the process")
    func leavesNothing() async throws {
        try await Self.use()
        let before = Self.openFiles
        for _ in 0..<5 { try await Self.use() }
        // What is ending may still have some open, but not as many as one set for each host.
        try await TransferSupport.eventually { Self.openFiles <= before + 5 }
    }
}
