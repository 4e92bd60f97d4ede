import DaemonCore
import DocentTestSupport
import FileProvider
import HostServices
import HostTesting
import RemoteDocuments
import Rights
import Testing

/// Saves while the service of an account is unreachable, and a restart of the daemon before it is back (D, law 6).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct OfflineSavesTests {
    private typealias Uploads = RemoteUploadsTests

    /// Makes the service unreachable, until its rules are cleared.
    private static func disconnect(_ host: TestHost) {
        for method in [ProviderCall.Method.item, .child, .children, .fetch, .modify] {
            host.store(.remote).fail(method, .serverUnreachable, times: 1000)
        }
    }

    @Test("D: changes that were unsent when the daemon ended are sent by the next daemon, without a command")
    func afterRestart() async throws {
        try await TestHost.with { host in
            let key = try await Uploads.document(host)
            #expect(try await host.client().read(key) == "old")
            Self.disconnect(host)
            _ = try await Uploads.save(host, key, "new")
            await host.clock.sleeper("TransferQueue", within: .seconds(10))
            try await host.restarted { next async throws in
                #expect(next.services.remote.states.state(of: key) == .queued)
                #expect(try await next.client().read(key) == "new")
                let running = Task { await next.services.run() }
                defer { running.cancel() }
                // Its first attempt fails too.
                await next.clock.sleeper("TransferQueue", within: .seconds(10))
                #expect(next.store(.remote).text(key.identifier) == "old")
                #expect(try await next.client().read(key) == "new")
                next.store(.remote).clearRules()
                try await next.clock.letting(["TransferQueue"]) { try await Uploads.sent(next) }
                #expect(next.store(.remote).text(key.identifier) == "new")
            }
        }
    }

    @Test("D: consecutive saves while the service is unreachable are no conflict, also after a restart")
    func ownSaves() async throws {
        try await TestHost.with { host in
            let key = try await Uploads.document(host)
            #expect(try await host.client().read(key) == "old")
            Self.disconnect(host)
            for number in 1...3 {
                _ = try await Uploads.save(host, key, "save \(number)", operation: "save-\(number)")
                #expect(try await host.client().read(key) == "save \(number)")
            }
            try await host.restarted { next async throws in
                _ = try await Uploads.save(next, key, "save 4", operation: "save-4")
                next.store(.remote).clearRules()
                let left = try await Uploads.drain(next)
                #expect(left.pending == 0 && left.failed == 0)
                #expect(next.store(.remote).contents() == ["a.txt": "save 4"])
                #expect(try await next.client().read(key) == "save 4")
                #expect(try await Uploads.kept(next).isEmpty)
            }
        }
    }
}
