import DaemonCore
import DocentTestSupport
import FileProvider
import HostCore
import HostTesting
import Records
import Rights
import Testing

@testable import RemoteDocuments

/// Keeping pinned documents current.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct PinnedContentTests {
    private static let polling = ["DOCENT_POLL_SECONDS": "0.1"]

    /// What the earlier daemon had of a pinned document when it ended.
    enum Earlier: CaseIterable {
        case nothing
        case oldContent
        case changedWhileStopped
    }

    @Test("D2: a daemon fetches what an earlier one had not fetched of a pinned document", arguments: Earlier.allCases)
    func resumed(earlier: Earlier) async throws {
        try await TestHost.with(environment: Self.polling) { host in
            let store = host.store(.remote)
            let key = TestProviderKind.remote.key(store.add("a.txt", "old"))
            let reading = host.services.remote.reading
            _ = try await reading.catalog.current(key)
            if earlier != .nothing { _ = try await reading.reader.content(key) }
            try await host.services.remote.index.setPinned([key], true)
            if earlier == .oldContent {
                // Described, but not fetched any more.
                store.edit(key.identifier, "new and longer")
                store.fail(.fetch, .notPermitted, times: 1000)
                _ = try await reading.catalog.current(key, forced: true)
            }
            try await host.restarted { host in
                host.store(.remote).clearRules()
                if earlier == .changedWhileStopped { host.store(.remote).edit(key.identifier, "new and longer") }
                let remote = host.services.remote
                let polling = Task { await remote.reading.poller.run { [] } }
                defer { polling.cancel() }
                try await TransferSupport.eventually {
                    guard let item = try await remote.index.item(key), item.isCurrent else { return false }
                    return try await remote.reading.local.open(item)?.text
                        == (earlier == .nothing ? "old" : "new and longer")
                }
            }
        }
    }
}
