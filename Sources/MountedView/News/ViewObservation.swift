import Documents
import FileSystemMessages
import Synchronization

/// Follows what changes in the accounts that programs use, and shows it. Thread-safe.
final class ViewObservation: Sendable {
    private struct State {
        var accounts: [ViewAccount: Task<Void, Never>] = [:]
        var news: [ViewAccount: News] = [:]
        /// Accounts whose news is being taken in.
        var busy: Set<ViewAccount> = []
        /// Whether it is being looked at what programs watch, and whether that is to be done again.
        var isLooking = false
        var wantsLook = false
    }

    private struct News {
        var identifiers: [String] = []
        var isAll = false
    }

    private let source: any DocumentSource
    private let tree: ViewTree
    private let loads: FolderLoads
    private let watchers: WatcherWaking?
    private let state = Mutex(State())
    /// More documents than this in one folder are asked for with the folder.
    private let mostSingle = 16
    /// More folders than this are not asked for when anything may have changed.
    private let mostFolders = 64

    init(source: any DocumentSource, tree: ViewTree, loads: FolderLoads, watchers: WatcherWaking?) {
        self.source = source
        self.tree = tree
        self.loads = loads
        self.watchers = watchers
    }

    deinit { for task in state.withLock({ $0.accounts }).values { task.cancel() } }

    /// Follows an account from now on.
    func use(_ account: ViewAccount) {
        state.withLock { state in
            guard state.accounts[account] == nil else { return }
            state.accounts[account] = Task.detached { [weak self] in
                var pause = Duration.milliseconds(500)
                while !Task.isCancelled {
                    guard let source = self?.source else { return }
                    let start = ContinuousClock.now
                    do throws(DocumentsError) {
                        try await source.observe(account) { news in self?.take(news, account) }
                    } catch {
                        // An account that has gone, or cannot be read now.
                        if error.code == .notFound { break }
                    }
                    pause = .now - start > .seconds(30) ? .milliseconds(500) : min(pause * 2, .seconds(60))
                    try? await Task.sleep(for: pause)
                }
                self?.forget(account)
            }
        }
    }

    private func forget(_ account: ViewAccount) { state.withLock { $0.accounts[account] = nil } }

    /// Ends it.
    func end() {
        for task in state.withLock({ state in
            defer { state.accounts = [:] }
            return Array(state.accounts.values)
        }) {
            task.cancel()
        }
    }

    // MARK: News

    private func take(_ news: DocumentsClient.News, _ account: ViewAccount) {
        let starts = state.withLock { state in
            switch news {
            // Something may have been missed before.
            case .began, .all: state.news[account] = News(isAll: true)
            case .changed(let identifiers): state.news[account, default: News()].identifiers += identifiers
            }
            return state.busy.insert(account).inserted
        }
        guard starts else { return }
        Task.detached { [weak self] in
            while let self, let next = self.next(account) {
                let start = ContinuousClock.now
                await self.show(next, account)
                // Providers are not asked all the time, however much changes.
                try? await Task.sleep(for: max(.milliseconds(50), (ContinuousClock.now - start) * 2))
            }
        }
    }

    private func next(_ account: ViewAccount) -> News? {
        state.withLock { state in
            guard let news = state.news.removeValue(forKey: account) else {
                state.busy.remove(account)
                return nil
            }
            return news
        }
    }

    private func show(_ news: News, _ account: ViewAccount) async {
        guard !news.isAll else { return await showAll(account) }
        let concerned = tree.concerned(by: news.identifiers, of: account)
        var folders = Set(concerned.filter(\.isListed).map(\.node))
        let single = concerned.filter { !folders.contains($0.folder) }
        for (folder, items) in Dictionary(grouping: single, by: \.folder)
        where items.count > mostSingle && items[0].isInListed { folders.insert(folder) }
        for folder in folders { try? await loads.reload(folder) }
        for item in single where !folders.contains(item.folder) && item.folder != KernelRequest.root {
            await loads.refresh(item.node, in: item.folder)
        }
    }

    private func showAll(_ account: ViewAccount) async {
        let listed = tree.listedFolders(of: account)
        tree.makeOld(listed)
        let watched = await watchedFolders()
        for folder in listed.filter({ watched.contains($0) }).prefix(mostFolders) { try? await loads.reload(folder) }
    }

    // MARK: What programs watch

    private func watchedFolders() async -> Set<UInt64> {
        guard let watchers else { return [] }
        return tree.folders(of: await watchers.watched(within: .seconds(1)))
    }

    /// A program has just used a name or a folder: it may watch it from now on. A folder that is watched must be known,
    /// and stays in use at its provider. Returns at once.
    func look() {
        guard watchers != nil else { return }
        let starts = state.withLock { state in
            state.wantsLook = true
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard starts else { return }
        Task.detached { [weak self] in
            var last: ContinuousClock.Instant?
            var isWatched = false
            while true {
                try? await Task.sleep(for: .seconds(2))
                guard let self else { return }
                let age = last.map { .now - $0 } ?? .seconds(3600)
                let wants = self.state.withLock { state in
                    guard state.wantsLook, age > .seconds(5) else { return false }
                    state.wantsLook = false
                    return true
                }
                if wants || isWatched && age > .seconds(120) {
                    let folders = await self.watchedFolders()
                    (last, isWatched) = (.now, !folders.isEmpty)
                    for folder in folders.prefix(self.mostFolders) where self.isDue(folder) {
                        try? await self.loads.load(folder)
                    }
                }
                let isOver = self.state.withLock { state in
                    guard !isWatched, !state.wantsLook else { return false }
                    state.isLooking = false
                    return true
                }
                if isOver { return }
            }
        }
    }

    private func isDue(_ folder: UInt64) -> Bool {
        guard folder != KernelRequest.root else { return false }
        guard let checked = tree.checked(folder), tree.entries(of: folder) != nil else { return true }
        return .now - checked > .seconds(240)
    }
}
