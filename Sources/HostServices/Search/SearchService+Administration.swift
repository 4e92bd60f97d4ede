package import DocentInterfaces
import FoundationEssentials
import HostCore
import Records

extension SearchService {
    /// How far each account is in the index.
    package func status() async throws -> AdministrationInterface.SearchIndex.Reply {
        guard store.exists else { return .init(accounts: [], path: store.path, bytes: 0, exists: false) }
        let known = try await store.use { try await $0.accounts(counts: true) }
        let states = Dictionary(known.map { ($0.identity, $0) }) { $1 }
        var accounts: [Wire.IndexedAccount] = []
        for identity in try await self.accounts.all() {
            let account = states[identity]
            guard try await !isUnset(identity, account) else { continue }
            let state =
                switch account?.state {
                case nil, .never, .unset: "unlisted"
                case .running: "listing"
                case .paused: "paused"
                case .done: "done"
                case .failed: "failed"
                }
            accounts.append(
                Wire.IndexedAccount(
                    provider: identity.provider, domain: identity.domain, state: state,
                    documents: account?.documents ?? 0, listedFolders: account?.listed ?? 0,
                    waitingFolders: account?.waiting ?? 0, failures: account?.failures ?? 0,
                    message: account?.message, finished: account?.finished?.timeIntervalSince1970))
        }
        return .init(accounts: accounts, path: store.path, bytes: await store.bytes, exists: true)
    }

    /// Starts or pauses the listing of accounts, or makes the index again.
    ///
    /// - Returns: for how many accounts.
    /// - Throws: ``Failure`` `NotFound` for an account that there is not.
    package func change(_ action: String, provider: String?, domain: String?) async throws -> Int {
        var concerned = try await accounts.open()
        if let provider {
            let identifier = try await accounts.identifier(of: provider)
            concerned = concerned.filter { $0.provider == identifier && (domain == nil || $0.domain == domain) }
            guard !concerned.isEmpty else {
                throw Failure(
                    .notFound, "There is no account \(provider)\(domain.map { "@" + $0 } ?? "") that can be searched.",
                    suggestion: "`docent index status` lists the accounts.")
            }
        }
        switch action {
        case "start":
            try await makeReady([], isConfined: true)
            for account in concerned { try await crawler.start(account) }
        case "pause": for account in concerned { try await crawler.pause(account) }
        case "rebuild" where provider == nil:
            for account in concerned { await crawler.stop(account) }
            try await store.rebuild()
            await feed.compareIfNeeded(concerned)
            for account in concerned { try await crawler.start(account) }
        default:
            throw Failure(
                .invalidArgument, "\"\(action)\" is no action.", suggestion: "There are start, pause and rebuild.")
        }
        return concerned.count
    }
}
