import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Testing

@testable import HostServices

/// Transfers belong to the daemon: shared, ordered, cancelled and retried (N9 to N11).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct TransferServiceTests {
    private static func transfers(_ host: TestHost) async throws -> [Wire.Transfer] {
        try await host.services.transfers.transfers(provider: nil)
    }

    private static func transfer(_ host: TestHost, _ name: String = "a.txt") async throws -> Wire.Transfer? {
        try await transfers(host).first { $0.name == name }
    }

    private static func item(_ host: TestHost, _ key: ItemKey) async throws -> Wire.Item {
        try await host.services.gateway.item(key)
    }

    private static func drain(_ host: TestHost) async throws -> TransferService.Remainder {
        try await host.clock.letting(["TransferService"]) { try await host.services.transfers.drain(timeout: nil) }
    }

    private static func refuses(
        _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    @Test("ten readers of a document share one download")
    func coalescing() async throws {
        try await TestHost.with { host in
            let text = String(repeating: "shared\n", count: 5_000)
            let key = TestProviderKind.remote.key(host.store(.remote).add("a.txt", text))
            let gate = host.store(.remote).hold(.fetch)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<10 { group.addTask { try await host.client().read(key) } }
                try await TransferSupport.eventually { try await Self.transfer(host)?.waiters == 10 }
                await gate.reached()
                let transfer = try #require(try await Self.transfer(host))
                #expect(transfer.kind == "download" && transfer.state == "running" && transfer.priority == "awaited")
                #expect(transfer.totalBytes == text.utf8.count)
                gate.open()
                for try await read in group { #expect(read == text) }
            }
            #expect(host.store(.remote).calls(.fetch).count == 1)
            #expect(try await Self.transfers(host).isEmpty)
        }
    }

    @Test("a document with a waiting reader is fetched before a pinned one")
    func priorities() async throws {
        try await TestHost.with { host in
            let store = host.store(.remote)
            let domain = Wire.Domain(
                provider: Account.key.provider, identifier: Account.name, displayName: Account.name,
                settings: ["maximumTransfers": "1"])
            _ = try await host.services.domains.add(domain, credential: nil, isUnchecked: true)
            let folder = store.addFolder("pinned")
            let pinned = (1...4).map { Account.item(store.add("\($0).txt", "p", in: folder)) }
            let awaited = Account.item(store.add("a.txt", "awaited"))
            let gate = store.hold(.fetch)
            let count = try await host.services.remoteAdministrator.pin(
                location: Wire.Location(provider: domain.provider, domain: domain.identifier, path: "/pinned"),
                pinned: true)
            #expect(count == 4)
            await gate.reached()
            let reading = Task { try await host.client().read(awaited) }
            try await TransferSupport.eventually { try await Self.transfer(host)?.waiters == 1 }
            let waiting = try await Self.transfers(host)
            #expect(waiting.count { $0.state == "running" } == 1, "\(waiting)")
            gate.open()
            #expect(try await reading.value == "awaited")
            try await TransferSupport.eventually { try await Self.transfers(host).isEmpty }
            let order = store.calls(.fetch).map(\.subject)
            #expect(order.count == 5 && order.firstIndex(of: awaited.identifier) == 1, "\(order)")
            for key in pinned { #expect(try await Self.item(host, key).isDownloaded) }
        }
    }

    @Test("N9: an explicitly requested download and an upload continue when their clients are gone")
    func withoutClient() async throws {
        try await TestHost.with { host in
            let store = host.store(.remote)
            let pinned = TestProviderKind.remote.key(store.add("a.txt", "pinned"))
            let saved = TestProviderKind.remote.key(store.add("b.txt", "old"))
            try await host.grant(saved)
            let (fetch, modify) = (store.hold(.fetch), store.hold(.modify))
            _ = try await host.services.remoteAdministrator.pin(
                location: TestProviderKind.remote.place("/a.txt"), pinned: true)
            let client = host.client()
            try await client.begin(saved, "new", operation: "save")
            try await client.commit("save")
            host.end(client.session)
            await fetch.reached()
            await modify.reached()
            let transfers = try await Self.transfers(host)
            #expect(transfers.count { $0.state == "running" && $0.waiters == 0 } == 2, "\(transfers)")
            #expect(try await Self.item(host, saved).uploadState == "uploading")
            fetch.open()
            modify.open()
            try await TransferSupport.eventually { try await Self.transfers(host).isEmpty }
            #expect(store.text(saved.identifier) == "new")
            #expect(try await Self.item(host, pinned).isDownloaded)
            #expect(store.calls(.fetch).count == 1)
        }
    }

    @Test("a client that waits for a cancelled download gets an error")
    func cancelDownload() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.remote.key(host.store(.remote).add("a.txt", "a"))
            let gate = host.store(.remote).hold(.fetch)
            let reading = Task { try await host.client().read(key) }
            await gate.reached()
            let transfer = try #require(try await Self.transfer(host))
            #expect(transfer.waiters == 1)
            try await host.services.transfers.cancel(transfer.identifier)
            await Self.refuses(.cancelled) { _ = try await reading.value }
            await Self.refuses(.notFound) { try await host.services.transfers.cancel("no-such") }
            #expect(try await host.client().read(key) == "a")
        }
    }

    @Test("a cancelled upload is kept, also after a restart, and sent on retry")
    func cancelUpload() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.remote.key(host.store(.remote).add("a.txt", "old"))
            try await host.grant(key)
            let gate = host.store(.remote).hold(.modify)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            try await client.commit("save")
            await gate.reached()
            let running = try #require(try await Self.transfer(host))
            #expect(running.state == "running")
            try await host.services.transfers.cancel(running.identifier)
            try await TransferSupport.eventually { try await Self.item(host, key).uploadState == "failed" }
            #expect(try await Self.item(host, key).uploadError?.isEmpty == false)
            #expect(try await client.read(key) == "new")
            let transfer = try #require(try await Self.transfer(host))
            #expect(transfer.state == "failed" && transfer.kind == "upload")
            let left = try await Self.drain(host)
            #expect(left.pending == 0 && left.failed == 1)

            try await host.restarted { next async throws in
                #expect(try await Self.item(next, key).uploadState == "failed")
                #expect(next.store(.remote).text(key.identifier) == "old")
                let again = try #require(try await Self.transfer(next)).identifier
                let retried = try await next.services.transfers.retry(identifier: again, provider: nil, domain: nil)
                #expect(retried == 1)
                let left = try await Self.drain(next)
                #expect(left.pending == 0 && left.failed == 0)
                #expect(next.store(.remote).text(key.identifier) == "new")
                #expect(try await Self.item(next, key).uploadState == "uploaded")
            }
        }
    }
}
