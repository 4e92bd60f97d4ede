package import Access
import DocentInterfaces
package import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import RemoteDocuments
import Rights
package import Storage
import UniformTypes
import Varlink

/// Searching (K1–K6, K11–K18): the index and what keeps it up, and the searches of clients.
///
/// Before the first search there is no index and nothing is done for it. A confined client is given what it was
/// granted and what is in folders that it was granted: the index looks at nothing else for it, and each result is
/// checked as any other access.
package struct SearchService: Sendable {
    let store: SearchStore
    let feed: SearchFeed
    /// Lists the folders of accounts.
    package let crawler: SearchCrawler
    let accounts: SearchAccounts
    let live: LiveSearches
    let gateway: DocumentGateway
    let index: ItemIndex
    let describer: RemoteDescriber
    let access: AccessControl
    let aliases: ItemAliases
    let types: TypeCatalogue
    let shares: ShareCounter
    let clock: any HostClock
    let logger: Logger

    /// What the searches need of the other services.
    package init(
        layout: StorageLayout, worker: BlockingWorker, registry: ProviderRegistry, gateway: DocumentGateway,
        reading: RemoteReading, index: ItemIndex, describer: RemoteDescriber, monitor: DomainMonitor,
        access: AccessControl, aliases: ItemAliases, types: TypeCatalogue, limits: SearchCrawler.Limits = .init(),
        logger: Logger, clock: any HostClock
    ) {
        store = SearchStore(layout: layout, worker: worker, logger: logger)
        live = LiveSearches()
        feed = SearchFeed(
            store: store, index: index, describer: describer, gateway: gateway, live: live, logger: logger)
        accounts = SearchAccounts(registry: registry, gateway: gateway, index: index, monitor: monitor)
        crawler = SearchCrawler(
            store: store, feed: feed, accounts: accounts, gateway: gateway, catalog: reading.catalog, index: index,
            isPackage: { type in
                UniformType(type).map { types.registry.conforms($0, to: .package) } ?? false
            }, limits: limits, logger: logger, clock: clock)
        self.gateway = gateway
        self.index = index
        self.describer = describer
        self.access = access
        self.aliases = aliases
        self.types = types
        shares = ShareCounter(PrincipalLimits.liveSearches)
        self.clock = clock
        self.logger = logger
    }

    // MARK: Running

    /// Follows what the other services learn; once, before any client is served.
    package func follow(_ changes: ContentChanges) async {
        // Those who report are among what this uses, so they do not keep it.
        changes.indexed.follow { [weak feed, weak live, weak gateway] news in
            switch news {
            // The records of remote items report for themselves.
            case .item(let key): if gateway?.isKnownRemote(key.provider) == false { feed?.note([key]) }
            case .account, .rights: live?.noteAll()
            }
        } settle: { [weak feed, weak live] in
            guard let feed, let live, !live.isEmpty else { return }
            let isDone = await Patience.wait(Self.settlingPatience) {
                await feed.drain()
                await live.settle()
            }
            if !isDone { live.release() }
        }
        gateway.followListings { [weak feed] in feed?.noteListed($0, $1) }
        access.grants.followRecorded { [weak live] in live?.noteAll() }
        guard store.exists else { return }
        await prepare()
    }

    // How long a change waits for the searches of others.
    private static let settlingPatience = Duration.seconds(1)

    /// Goes on with what an earlier daemon began, and ends when the task is cancelled.
    package func run() async {
        await crawler.resume()
        // The rest is done when somebody searches.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }

    /// Whether the daemon has something to finish here.
    package func isBusy() async -> Bool { await crawler.isBusy }

    /// Stops everything, and closes the index.
    package func end() async {
        await crawler.end()
        let isDone = await Patience.wait(Self.settlingPatience) { [feed] in await feed.drain() }
        if !isDone { await store.noteIncomplete() }
        await store.end()
    }

    private func prepare() async {
        do {
            try await feed.follow()
        } catch {
            logger.warning("changes are not followed for searching", metadata: ["why": "\(error)"])
        }
    }

    // How long a search waits for listings and comparisons that it has begun: small accounts are complete then.
    private static let firstPatience = Duration.seconds(2)

    /// Makes the index ready for a search.
    func makeReady(_ open: [SearchAccount.Identity], isConfined: Bool) async throws {
        await prepare()
        try await store.use { _ in }
        let comparison = await feed.compareIfNeeded(open)
        // A confined program makes nobody list folders.
        if !isConfined {
            await crawler.searched(open)
            await removeOthers()
        }
        if let comparison { await Patience.wait(Self.firstPatience) { await comparison.value } }
        if !isConfined { await crawler.wait(atMost: Self.firstPatience) }
        await Patience.wait(Self.firstPatience) { [feed] in await feed.drain() }
    }

    // The index keeps nothing of accounts that do not exist any more.
    private func removeOthers() async {
        guard let all = try? await Set(accounts.all()), let known = try? await store.use({ try await $0.accounts() })
        else { return }
        for account in known where !all.contains(account.identity) {
            await crawler.stop(account.identity)
            Task { [feed] in await feed.remove(account.identity) }
        }
    }
}
