import DocentInterfaces
import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import RemoteDocuments
import Rights

/// Lists the folders of accounts from their tops, so that documents are found that nobody has looked at.
///
/// One folder of an account is listed at a time, and a pause as long as the listing follows. Which folders are left is
/// in the index: a daemon that ends in the middle continues where it was. It begins when somebody searches and the
/// account was not listed for a day, or when the user asks for it.
package actor SearchCrawler {
    /// How much of an account is listed in one round.
    package struct Limits: Sendable {
        /// The most folders.
        package var folders = 200_000
        /// The most items.
        package var items = 1_000_000
        /// The most folders above a folder.
        package var depth = 64
        /// The most failures in a row, each after a longer pause.
        package var failures = 6

        package init() {}
    }

    /// How long, in seconds, a complete round counts.
    package static let validSeconds = 24 * 3600.0
    /// How long, in seconds, a round that was given up is not repeated for a search.
    static let failedSeconds = 3600.0
    /// How long a daemon stays for listings only.
    static let patience = Duration.seconds(600)
    static let shortestPause = Duration.milliseconds(20)
    static let longestPause = Duration.seconds(30)
    static let pauses = (first: Duration.seconds(5), longest: Duration.seconds(600), power: Duration.seconds(60))

    private let store: SearchStore
    private let feed: SearchFeed
    private let accounts: SearchAccounts
    private let gateway: DocumentGateway
    private let catalog: RemoteCatalog
    private let index: ItemIndex
    private let isPackage: @Sendable (_ type: String) -> Bool
    private let limits: Limits
    private let isOnBattery: @Sendable () -> Bool
    private let logger: Logger
    private let clock: any HostClock
    private var running: [SearchAccount.Identity: (task: Task<Void, Never>, since: ContinuousClock.Instant)] = [:]
    /// Accounts that the user wants listed whatever the machine's power.
    private var wanted: Set<SearchAccount.Identity> = []

    package init(
        store: SearchStore, feed: SearchFeed, accounts: SearchAccounts, gateway: DocumentGateway,
        catalog: RemoteCatalog, index: ItemIndex, isPackage: @escaping @Sendable (_ type: String) -> Bool,
        limits: Limits = Limits(), isOnBattery: @escaping @Sendable () -> Bool = { PowerState().isOnBattery },
        logger: Logger, clock: any HostClock
    ) {
        self.store = store
        self.feed = feed
        self.accounts = accounts
        self.gateway = gateway
        self.catalog = catalog
        self.index = index
        self.isPackage = isPackage
        self.limits = limits
        self.isOnBattery = isOnBattery
        self.logger = logger
        self.clock = clock
    }

    // MARK: When

    /// Whether a listing is running that the daemon waits for before it ends. It waits for none for ever.
    package var isBusy: Bool { running.values.contains { clock.now - $0.since < Self.patience } }

    /// The accounts that are being listed.
    package var current: Set<SearchAccount.Identity> { Set(running.keys) }

    /// Begins to list the accounts that need it, because somebody searches.
    package func searched(_ open: [SearchAccount.Identity]) async {
        guard let known = try? await store.use({ try await $0.accounts() }) else { return }
        let states = Dictionary(known.map { ($0.identity, $0) }) { $1 }
        for account in open where running[account] == nil && accounts.obstacle(account) == nil {
            // It may have been set up since.
            let isBare = states[account]?.state == .unset ? try? await accounts.isBare(account) : nil
            guard isBare == false || isDue(states[account]) else { continue }
            await begin(account)
        }
    }

    private func isDue(_ account: SearchAccount?) -> Bool {
        guard let account else { return true }
        let age = account.finished.map { clock.date.timeIntervalSince($0) }
        switch account.state {
        case .never, .running: return true
        case .paused: return false
        // A time in the future comes from a clock that was set back; less than a second is rounded.
        case .done: return age.map { $0 > Self.validSeconds || $0 < -1 } ?? true
        case .failed, .unset: return age.map { $0 > Self.failedSeconds || $0 < -1 } ?? true
        }
    }

    /// Goes on with the rounds that an earlier daemon began.
    package func resume() async {
        guard store.exists, let open = try? await accounts.open() else { return }
        let known = (try? await store.use { try await $0.accounts() }) ?? []
        for account in known where account.state == .running && open.contains(account.identity) {
            if running[account.identity] == nil { await begin(account.identity) }
        }
    }

    /// Lists an account at the user's request; continues if it was paused.
    package func start(_ account: SearchAccount.Identity) async throws {
        wanted.insert(account)
        guard running[account] == nil else { return }
        await begin(account)
    }

    /// Stops listing an account until it is started again.
    package func pause(_ account: SearchAccount.Identity) async throws {
        wanted.remove(account)
        await stop(account)
        let now = clock.date
        try await store.use { index in
            try await index.add(account)
            try await index.setState(.paused, of: account, at: now)
        }
    }

    /// Stops listing an account, for instance because it is gone.
    package func stop(_ account: SearchAccount.Identity) async {
        guard let entry = running[account] else { return }
        entry.task.cancel()
        await entry.task.value
    }

    /// Stops everything; what is left is done by the next daemon.
    package func end() async { for account in running.keys { await stop(account) } }

    /// Waits for listings that have just begun, but not for long. Others have shown that they take longer.
    package func wait(atMost patience: Duration) async {
        let tasks = running.values.filter { clock.now - $0.since < patience }.map(\.task)
        guard !tasks.isEmpty else { return }
        await Patience.wait(patience) { for task in tasks { await task.value } }
    }

    // MARK: A round

    private func begin(_ account: SearchAccount.Identity) async {
        let task = Task {
            await self.round(account)
            self.running[account] = nil
        }
        running[account] = (task, clock.now)
    }

    private func round(_ account: SearchAccount.Identity) async {
        do {
            let now = clock.date
            try await store.use { try await $0.beginRound(account, at: now) }
            let message = try await listAll(account)
            try await finish(account, .done, message)
        } catch let failure as Failure {
            wanted.remove(account)
            let isBare = SearchAccounts.needsSetUp(failure) ? try? await accounts.isBare(account) : nil
            try? await finish(account, isBare == true ? .unset : .failed, failure.message)
        } catch {
            // Cancelled, or the index cannot be used: the state stays, and the round continues later.
            guard !Task.isCancelled else { return }
            logger.info("the folders of an account are not listed", metadata: ["why": "\(error)"])
        }
    }

    private func finish(
        _ account: SearchAccount.Identity, _ state: SearchAccount.State, _ message: String?
    ) async throws {
        let now = clock.date
        try await store.use { try await $0.setState(state, of: account, message: message, at: now) }
    }

    /// - Returns: what was left out.
    private func listAll(_ account: SearchAccount.Identity) async throws -> String? {
        var (folders, items, failures, leftOut) = (0, 0, 0, 0)
        while let folder = try await store.use({ try await $0.nextFolder(of: account) }) {
            try Task.checkCancellation()
            guard !accounts.isClosed(account) else { throw CancellationError() }
            guard folders < limits.folders, items < limits.items else {
                return "It has more than \(folders) folders or \(items) items; the others were left out."
            }
            while !wanted.contains(account), isOnBattery() { try await clock.sleep(for: Self.pauses.power) }
            folders += 1
            // A package is one document for whoever searches.
            if folder.depth > limits.depth || isPackage(folder.contentType) {
                if folder.depth > limits.depth { leftOut += 1 }
                try await store.use { try await $0.finish(folder) }
                continue
            }
            let began = clock.now
            do {
                items += try await list(folder.key)
                failures = 0
                try await store.use { try await $0.finish(folder) }
            } catch let failure as Failure {
                // The top folder is not optional, and what the service says of all folders is not about this one.
                let concernsFolder = ![.unavailable, .notAuthenticated, .cancelled, .deadlineExceeded].contains(
                    failure.code)
                if concernsFolder, folder.key != account.top {
                    try await store.use { try await $0.finish(folder, hasFailed: true) }
                } else {
                    failures += 1
                    folders -= 1
                    // Asking again would not help.
                    guard !SearchAccounts.needsSetUp(failure), failures < limits.failures else { throw failure }
                    try await clock.sleep(for: pause(after: failures, failure))
                    continue
                }
            }
            // The machine may have been suspended meanwhile.
            try await clock.sleep(for: min(max(Self.shortestPause, clock.now - began), Self.longestPause))
        }
        return leftOut > 0 ? "\(leftOut) folders lie too deep and were left out." : nil
    }

    private func pause(after failures: Int, _ failure: Failure) -> Duration {
        let asked = failure.retryAfter.map { Duration.seconds(min(max($0, 0), 3600)) } ?? .zero
        return max(asked, min(Self.pauses.first * (1 << min(failures - 1, 10)), Self.pauses.longest))
    }

    /// - Returns: how many items the folder has.
    private func list(_ folder: ItemKey) async throws -> Int {
        guard try await gateway.isRemote(folder.provider) else {
            return try await feed.list(folder, most: limits.items)
        }
        // What others have listed lately need not be asked for again.
        let listed = try await index.item(folder)?.listed
        let age = listed.map { clock.date.timeIntervalSince($0) }
        if age.map({ $0 < 0 || $0 > Self.validSeconds }) ?? true { _ = try await catalog.list(folder) }
        let children = try await index.checkedChildren(of: folder).count
        await feed.drain()
        return children
    }
}
