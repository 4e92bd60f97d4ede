import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import FileProvider
import HostTesting
import Rights
import Synchronization
import Testing

@testable import RemoteDocuments

/// Pages of a folder that are asked for before anybody reads them, from a provider that fails meanwhile. Time stands
/// still: no page gets too old.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct ListingAheadTests {
    private static let root = TestProviderKind.inPlace.root

    /// Reads the first two pages of four. The third one is then asked for ahead, which `rule` is for.
    ///
    /// - Returns: the token of the third page.
    private static func readTwo(of host: TestHost, _ rule: (TestStore) -> Void) async throws -> String? {
        let store = host.store(.inPlace)
        store.setPageSize(1)
        for name in ["a", "b", "c", "d"] { store.add(name) }
        let gateway = host.services.gateway
        let first = try await gateway.children(of: root, page: nil)
        store.before(.children) { _ in }
        rule(store)
        let second = try await gateway.children(of: root, page: first.nextPage)
        #expect((first.items + second.items).map(\.name) == ["a", "b"])
        return second.nextPage
    }

    @Test("all pages are read, and each is asked for once")
    func pages() async throws {
        try await TestHost.with { host in
            var (names, page) = ([String](), try await Self.readTwo(of: host) { _ in })
            while let token = page {
                let read = try await host.services.gateway.children(of: Self.root, page: token)
                names += read.items.map(\.name)
                page = read.nextPage
            }
            #expect(names == ["c", "d"])
            #expect(host.store(.inPlace).calls(.children).count == 4)
        }
    }

    @Test("the failure of a page that was asked for ahead is its reader's, and the page is not asked for again")
    func failure() async throws {
        try await TestHost.with { host in
            let page = try await Self.readTwo(of: host) { $0.fail(.children, .serverUnreachable) }
            await #expect(throws: Failure.self) { try await host.services.gateway.children(of: Self.root, page: page) }
            #expect(host.store(.inPlace).calls(.children).count == 3)
            let read = try await host.services.gateway.children(of: Self.root, page: page)
            #expect(read.items.map(\.name) == ["c"])
        }
    }

    @Test("a page that was asked for ahead of a provider that died is asked for again")
    func death() async throws {
        try await TestHost.with { host in
            var gate: CallGate?
            let page = try await Self.readTwo(of: host) { gate = $0.hold(.children) }
            defer { gate?.open() }
            await gate?.reached()
            host.kill(.inPlace)
            try await TransferSupport.eventually {
                await host.services.supervisor.statuses().first { $0.provider == Self.root.provider }?.state
                    != "running"
            }
            let read = try await host.clock.letting(["ExtensionSupervisor"]) {
                try await host.services.gateway.children(of: Self.root, page: page)
            }
            #expect(read.items.map(\.name) == ["c"])
        }
    }

    @Test("a reader who leaves does not wait for a page that was asked for ahead")
    func cancelled() async throws {
        try await TestHost.with { host in
            var gate: CallGate?
            let page = try await Self.readTwo(of: host) { gate = $0.hold(.children) }
            defer { gate?.open() }
            await gate?.reached()
            let hasEnded = Mutex(false)
            let reader = Task {
                defer { hasEnded.withLock { $0 = true } }
                _ = try await host.services.gateway.children(of: Self.root, page: page)
            }
            reader.cancel()
            try await TransferSupport.eventually { hasEnded.withLock { $0 } }
        }
    }
}
