package import DocentInterfaces
import HostCore
package import Logging
package import Records
package import RemoteDocuments
package import Rights
import Synchronization

/// Keeps the index for searching in step with what the daemon learns of documents: from the records of remote items,
/// from news of others, and from listings.
package actor SearchFeed {
    private struct Waiting {
        var keys: [ItemKey] = []
        var known: Set<ItemKey> = []
        /// Those that the records of remote items have reported.
        var recorded: Set<ItemKey> = []
        /// Pages of folders in place that somebody has listed.
        var pages: [(folder: ItemKey, items: [Wire.Item])] = []
        var pageItems = 0
        var isOverflown = false
        var isFollowed = false
    }

    // Whether the index itself lists, and stores what it finds.
    @TaskLocal private static var isListing = false

    /// The most items that wait. Beyond that the index is compared as a whole.
    static let most = 100_000
    private static let batch = 500

    private let store: SearchStore
    private let index: ItemIndex
    private let describer: RemoteDescriber
    private let gateway: DocumentGateway
    private let live: LiveSearches
    private let logger: Logger
    private let waiting = Mutex(Waiting())
    private var running: Task<Void, Never>?
    private var comparing: Task<Void, Never>?
    private var compared = 0

    package init(
        store: SearchStore, index: ItemIndex, describer: RemoteDescriber, gateway: DocumentGateway,
        live: LiveSearches, logger: Logger
    ) {
        self.store = store
        self.index = index
        self.describer = describer
        self.gateway = gateway
        self.live = live
        self.logger = logger
    }

    // MARK: What has changed

    /// Follows the records of remote items from now on; once for a daemon.
    package func follow() async throws {
        let isFirst = waiting.withLock { waiting in
            defer { waiting.isFollowed = true }
            return !waiting.isFollowed
        }
        guard isFirst else { return }
        try await index.follow { [weak self] in self?.note($0, isRecorded: true) }
    }

    /// Items may have changed. Returns at once.
    ///
    /// - Parameter isRecorded: whether the records of remote items have changed; else the items are in place.
    package nonisolated func note(_ keys: [ItemKey], isRecorded: Bool = false) {
        let isFirst = waiting.withLock { waiting in
            guard waiting.isFollowed, !waiting.isOverflown else { return false }
            let wasEmpty = waiting.keys.isEmpty
            for key in keys where waiting.known.insert(key).inserted { waiting.keys.append(key) }
            if isRecorded { waiting.recorded.formUnion(keys) }
            if waiting.keys.count > Self.most {
                waiting = Waiting(isOverflown: true, isFollowed: true)
                return true
            }
            return wasEmpty && !waiting.keys.isEmpty
        }
        if isFirst { Task { await self.drain() } }
    }

    /// Somebody has listed a page of a folder in place. Returns at once. Pages that are too many to wait are left out:
    /// whoever lists the folders of the account finds them.
    package nonisolated func noteListed(_ folder: ItemKey, _ items: [Wire.Item]) {
        guard !Self.isListing else { return }
        let isFirst = waiting.withLock { waiting in
            guard waiting.isFollowed, waiting.pageItems + items.count <= Self.mostRelisted else { return false }
            waiting.pages.append((folder, items))
            waiting.pageItems += items.count
            return waiting.pages.count == 1
        }
        if isFirst { Task { await self.drain() } }
    }

    /// Waits until everything that was noted before is in the index.
    package func drain() async {
        while true {
            if let running {
                await running.value
            } else if hasWork {
                let task = Task { await self.work() }
                running = task
                await task.value
            } else {
                return
            }
        }
    }

    private var hasWork: Bool { waiting.withLock { !$0.keys.isEmpty || !$0.pages.isEmpty || $0.isOverflown } }

    private func work() async {
        defer { running = nil }
        while hasWork {
            let (keys, recorded, isOverflown) = waiting.withLock { waiting in
                let keys = Array(waiting.keys.prefix(Self.batch))
                waiting.keys.removeFirst(keys.count)
                waiting.known.subtract(keys)
                let recorded = Set(keys.filter { waiting.recorded.remove($0) != nil })
                defer { waiting.isOverflown = false }
                return (keys, recorded, waiting.isOverflown)
            }
            if isOverflown {
                await store.noteIncomplete()
                compared = -1
            }
            do {
                try await take(keys, recorded)
                try await takePages()
            } catch {
                // A full disk for instance. What is in the index stays, and is compared later.
                await store.noteIncomplete()
                logger.info("the index for searching is not up to date", metadata: ["why": "\(error)"])
            }
        }
    }

    private func take(_ keys: [ItemKey], _ recorded: Set<ItemKey>) async throws {
        let found = try await describer.items(index.items(keys), folderPath: nil)
        let present = Set(found.map(\.reference.key))
        // The new places first: what is still in a folder that is gone would go with it.
        var changes: [SearchIndex.Change] = found.map { .known(IndexedItem($0)) }
        for key in keys where !present.contains(key) {
            let isRemote = recorded.contains(key) || gateway.isKnownRemote(key.provider)
            changes += isRemote ? [.gone(key)] : await change(inPlace: key)
        }
        try await apply(changes)
    }

    // Nothing is recorded of items in place: their provider is asked, which has just reported something anyway.
    private func change(inPlace key: ItemKey) async -> [SearchIndex.Change] {
        guard !Tombstone.isOne(key.identifier),
            await (try? store.use { try await $0.account(.init(key)) }) ?? nil != nil
        else { return [] }
        do {
            let item = try await gateway.bare(key)
            // Some providers report a folder when something in it has changed.
            if item.isFolder { _ = try? await list(item.reference.key, most: Self.mostRelisted) }
            return [.known(IndexedItem(item))]
        } catch let failure as Failure {
            return failure.code == .notFound ? [.gone(key)] : []
        } catch {
            return []
        }
    }

    private static let mostRelisted = 10_000

    private func takePages() async throws {
        let pages = waiting.withLock { waiting in
            defer { (waiting.pages, waiting.pageItems) = ([], 0) }
            return waiting.pages
        }
        for page in pages {
            guard try await store.use({ try await $0.account(.init(page.folder)) }) != nil else { continue }
            try await apply(page.items.map { .known(Self.indexed($0, in: page.folder)) })
        }
    }

    private static func indexed(_ item: Wire.Item, in folder: ItemKey) -> IndexedItem {
        var indexed = IndexedItem(item)
        indexed.parent = folder.identifier
        return indexed
    }

    private func apply(_ changes: [SearchIndex.Change]) async throws {
        guard !changes.isEmpty else { return }
        let changed = try await store.use { try await $0.apply(changes) }
        live.note(changed)
    }

    // MARK: Listings in place

    /// Lists a folder of a provider in place, and stores what is in it.
    ///
    /// - Parameter most: gives up after so many items; those that were listed are stored.
    /// - Returns: how many items there are.
    @discardableResult
    func list(_ folder: ItemKey, most: Int) async throws -> Int {
        var pages = PageSequence(provider: folder.provider, folder: folder.identifier)
        var present: Set<BytewiseText> = []
        var page: String?
        repeat {
            let (items, next) = try await Self.$isListing.withValue(true) { [page] in
                try await gateway.children(of: folder, page: page)
            }
            let before = present.count
            for item in items { present.insert(BytewiseText(item.reference.identifier)) }
            try await apply(items.map { .known(Self.indexed($0, in: folder)) })
            page = try pages.next(
                next, items: items.count, repeated: items.count - (present.count - before))
            guard present.count <= most else { return present.count }
        } while page != nil
        let removed = try await store.use { [present] in try await $0.removeOthers(than: present, in: folder) }
        live.note(removed)
        return present.count
    }

    // MARK: Comparing

    /// Compares the index with the records of remote items if it may differ: after it was made, after a kill, or after
    /// something could not be stored. Runs aside; an account that is being compared is searched all the same.
    ///
    /// - Returns: the comparison that runs, if any.
    @discardableResult
    package func compareIfNeeded(_ accounts: [SearchAccount.Identity]) async -> Task<Void, Never>? {
        if let comparing { return comparing }
        let needed = await store.comparisonsNeeded
        guard needed != compared else { return nil }
        compared = needed
        let task = Task {
            for account in accounts { await self.compare(account) }
            self.comparing = nil
        }
        comparing = task
        return task
    }

    /// Whether a comparison is running.
    package var isComparing: Bool { comparing != nil }

    private func compare(_ account: SearchAccount.Identity) async {
        do {
            var last = ""
            while true {
                let rows = try await index.items(
                    provider: account.provider, domain: account.domain, after: last, most: Self.batch)
                guard let end = rows.last else { break }
                try await apply(describer.items(rows, folderPath: nil).map { .known(IndexedItem($0)) })
                last = end.key.identifier
            }
            // Accounts in place have no records; their folders are listed again.
            guard !last.isEmpty else { return }
            var next: Int64? = 0
            while let after = next {
                let part = try await store.use { try await $0.items(of: account, after: after) }
                let keys = part.identifiers.map { account.top.sibling($0) }
                let present = Set(try await index.items(keys).map(\.key))
                try await apply(keys.filter { !present.contains($0) }.map { .gone($0) })
                next = part.next
            }
        } catch {
            await store.noteIncomplete()
            logger.info("the index for searching could not be compared", metadata: ["why": "\(error)"])
        }
    }

    /// Removes an account from the index.
    package func remove(_ account: SearchAccount.Identity) async {
        var next: Int64? = 0
        while let after = next {
            do {
                next = try await store.use { try await $0.removeSome(of: account, after: after) }
            } catch { return }
        }
    }
}
