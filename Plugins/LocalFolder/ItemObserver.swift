import Dispatch
import FileProvider
import Glibc
import Synchronization

/// Follows presented items: watches the folders above and below them, reports when they are gone, and polls where the
/// kernel provides no more watches. Safe to use from any thread.
final class ItemObserver: Sendable {
    private struct Observation {
        var pinned: [LocalFileIdentity]
        var below: Set<LocalFileIdentity>
        var path: [LocalName]
        var version: ItemVersion?
        var isComplete: Bool
        var isGone = false
        var fingerprint: Int?

        init(_ survey: FolderSurvey) {
            pinned = survey.pinned
            below = survey.below
            path = survey.path
            version = survey.version
            isComplete = survey.isComplete
        }
    }

    private struct State {
        var observations: [ItemIdentifier: Observation] = [:]
        /// Items to be checked.
        var dirty: Set<ItemIdentifier> = []
        var isPolling = false
        var hasWarned = false
    }

    /// Events that may have moved a folder, or changed which folders exist.
    private static let structure = UInt32(
        IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)

    private let tree: FolderTree
    private let host: FileProviderHost
    private let news: PacedNews
    private let limits: WatchLimits
    private let queue = DispatchQueue(label: "org.docent.LocalFolder.observer")
    private let state = Mutex(State())

    init(tree: FolderTree, host: FileProviderHost, news: PacedNews, limits: WatchLimits) {
        self.tree = tree
        self.host = host
        self.news = news
        self.limits = limits
    }

    /// Starts to follow an item; does nothing if it is followed already.
    ///
    /// - Throws: `FileProviderError`.
    func start(_ item: ItemIdentifier, _ watcher: FolderWatcher?) throws {
        guard state.withLock({ $0.observations[item] == nil }) else { return }
        let survey = try FolderSurvey(item, in: tree, watcher: watcher, limits: limits)
        var observation = Observation(survey)
        observation.fingerprint = fingerprint(item, survey)
        let isMine = state.withLock { [observation] state in
            guard state.observations[item] == nil else { return false }
            state.observations[item] = observation
            return true
        }
        guard isMine else {
            for folder in survey.pinned { watcher?.unpin(folder) }
            return
        }
        if !survey.isComplete { poll(watcher) }
    }

    /// Stops following an item.
    func stop(_ item: ItemIdentifier, _ watcher: FolderWatcher?) {
        let pinned = state.withLock { $0.observations.removeValue(forKey: item)?.pinned ?? [] }
        for folder in pinned { watcher?.unpin(folder) }
    }

    /// Whether this very item is presented.
    func follows(_ item: ItemIdentifier) -> Bool { state.withLock { $0.observations[item] != nil } }

    /// Processes what the watcher saw, after it was reported to the host.
    func noticed(_ news: FolderWatcher.News, _ watcher: FolderWatcher) {
        let isFirst = state.withLock { state in
            let wasClean = state.dirty.isEmpty
            for (item, observation) in state.observations where Self.concerns(news, observation) {
                state.dirty.insert(item)
            }
            return wasClean && !state.dirty.isEmpty
        }
        guard isFirst else { return }
        // A save by deleting and creating anew is complete by then.
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self, weak watcher] in
            guard let self, let watcher else { return }
            let dirty = state.withLock { state in
                defer { state.dirty = [] }
                return state.dirty
            }
            for item in dirty { look(item, watcher) }
        }
    }

    private static func concerns(_ news: FolderWatcher.News, _ observation: Observation) -> Bool {
        guard case .events(let events) = news else { return true }
        return events.contains { event in
            guard event.mask & structure != 0, observation.pinned.contains(event.folder) else { return false }
            let isFolder = event.mask & UInt32(IN_ISDIR) != 0 || event.name == nil
            return isFolder || event.name == observation.path.last
        }
    }

    /// Determines where an item is now, and reports it if it has moved or gone.
    private func look(_ item: ItemIdentifier, _ watcher: FolderWatcher?) {
        guard let before = state.withLock({ $0.observations[item] }) else { return }
        let survey: FolderSurvey
        do {
            survey = try FolderSurvey(item, in: tree, watcher: watcher, limits: limits)
        } catch {
            guard (error as? FileProviderError)?.code == .noSuchItem, !before.isGone else { return }
            state.withLock { $0.observations[item]?.isGone = true }
            news.deleted([item])
            return
        }
        let first = before.fingerprint == nil ? fingerprint(item, survey) : nil
        let old = state.withLock { state in
            guard let old = state.observations[item] else { return survey.pinned }
            var new = Observation(survey)
            new.fingerprint = old.fingerprint ?? first
            state.observations[item] = new
            return old.pinned
        }
        for folder in old { watcher?.unpin(folder) }
        if before.isGone || before.path != survey.path || before.version != survey.version { news.changed([item]) }
        tellNew(survey.below.subtracting(before.below))
        if !survey.isComplete { poll(watcher) }
    }

    // What polls compare with; nil for an item that is not polled, or is no folder. Taken at once, so that the first
    // poll finds what changed before it.
    private func fingerprint(_ item: ItemIdentifier, _ survey: FolderSurvey) -> Int? {
        guard !survey.isComplete, let directory = try? tree.folder(item) else { return nil }
        return FolderSurvey.fingerprint(of: directory, limits: limits)
    }

    /// New folders whose contents were created before they were watched.
    private func tellNew(_ folders: Set<LocalFileIdentity>) {
        guard let root = try? tree.root() else { return }
        var changed: Set<ItemIdentifier> = []
        for folder in folders {
            changed.insert(ItemIdentifier(tree.log.identifier(of: folder)))
            guard let directory = try? tree.directory(folder), let listing = try? LocalListing(directory) else {
                continue
            }
            guard changed.count + listing.count <= 1_000 else { return news.resync() }
            for entry in listing {
                guard let facts = try? directory.facts(of: entry.name), facts.kind != .other,
                    !UnlistedName.isOne(entry.name)
                else { continue }
                let identity = LocalFileIdentity(facts, rootDevice: root.device)
                tree.index.record(identity, at: .init(folder: folder, name: entry.name))
                changed.insert(ItemIdentifier(tree.log.identifier(of: identity)))
            }
        }
        news.changed(changed)
    }

    // MARK: Where the kernel watches no more

    private func poll(_ watcher: FolderWatcher?) {
        let (starts, warns) = state.withLock { state in
            defer {
                state.isPolling = true
                state.hasWarned = true
            }
            return (!state.isPolling, !state.hasWarned)
        }
        if warns {
            host.log(
                "Not everything that is shown can be watched; it is checked every few seconds instead. "
                    + "To watch more, raise fs.inotify.max_user_watches.")
        }
        if starts { pollLater(after: 0, watcher) }
    }

    private func pollLater(after seconds: Double, _ watcher: FolderWatcher?) {
        queue.asyncAfter(deadline: .now() + seconds) { [weak self, weak watcher] in
            guard let self else { return }
            let polled = state.withLock { state in
                let polled = state.observations.filter { !$0.value.isComplete }.keys
                if polled.isEmpty { state.isPolling = false }
                return Array(polled)
            }
            guard !polled.isEmpty else { return }
            let start = ContinuousClock.now
            for item in polled { lookInVain(item, watcher) }
            let took = Double((ContinuousClock.now - start).components.seconds)
            pollLater(after: max(limits.pollSeconds, took * 20), watcher)
        }
    }

    private func lookInVain(_ item: ItemIdentifier, _ watcher: FolderWatcher?) {
        look(item, watcher)
        guard let directory = try? tree.folder(item) else { return }
        let now = FolderSurvey.fingerprint(of: directory, limits: limits)
        let before = state.withLock { state in
            defer { state.observations[item]?.fingerprint = now }
            return state.observations[item]?.fingerprint
        }
        if let before, before != now { news.resync() }
    }
}
