import Documents
import FileSystemMessages
import Synchronization

/// Asks providers for folders, in order to answer a request or because what is known is no longer fresh. A folder that
/// several programs wait for is asked for once. Thread-safe.
final class FolderLoads: Sendable {
    private let source: any DocumentSource
    private let tree: ViewTree
    private let store: ViewLocalFiles
    private let news: ViewNews
    private let isSameFile: @Sendable (UInt64, ViewItem) -> Bool
    private let loads = Mutex<[UInt64: Task<Void, any Error>]>([:])
    /// When a folder was asked for in the background last.
    private let attempts = Mutex<[UInt64: ContinuousClock.Instant]>([:])
    /// How long what is known of a folder counts as fresh.
    private let freshness: Duration
    private let mostInBackground = 4
    private let conflicts = ConflictLog()

    /// - Parameter isSameFile: whether the programs that have a node open read the very file that its item describes
    ///   now.
    init(
        source: any DocumentSource, tree: ViewTree, store: ViewLocalFiles, news: ViewNews, freshness: Duration,
        isSameFile: @escaping @Sendable (UInt64, ViewItem) -> Bool
    ) {
        self.source = source
        self.tree = tree
        self.store = store
        self.news = news
        self.freshness = freshness
        self.isSameFile = isSameFile
    }

    /// Asks for a folder, and waits until all its entries are known.
    ///
    /// - Throws: ``DocumentsError``.
    func load(_ folder: UInt64) async throws {
        let task = loads.withLock { loads in
            if let running = loads[folder] { return running }
            // Others may wait for it too: it is not cancelled with the first of them.
            let task = Task.detached {
                defer { self.loads.withLock { $0[folder] = nil } }
                try await self.ask(folder)
            }
            loads[folder] = task
            return task
        }
        try await task.value
    }

    /// Asks for a folder after what is being asked already, because something has changed in it.
    func reload(_ folder: UInt64) async throws {
        if let running = loads.withLock({ $0[folder] }) { _ = try? await running.value }
        try await load(folder)
    }

    private func ask(_ folder: UInt64) async throws {
        if folder == KernelRequest.root {
            let accounts = try await source.accounts()
            return news.send(tree.replace(accounts: accounts, at: .now))
        }
        guard let location = tree.location(of: folder) else {
            throw DocumentsError(.notFound, "The folder has gone.")
        }
        let wasListed = tree.entries(of: folder) != nil
        // A listing that was overtaken by a change made here is not used.
        for attempt in 1... {
            let changes = tree.localChanges(of: folder)
            let items = try await items(location, folder)
            if let found = tree.replace(
                items: items, of: folder, at: .now, since: changes, isSameFile: isSameFile)
            {
                news.send(found)
                conflicts.note(items, in: location)
                break
            }
            // What is known is right; the next listing comes soon.
            if wasListed, attempt >= 3 { return }
            guard attempt < 600 else { throw DocumentsError(.unavailable, "The folder changes all the time.") }
            try await Task.sleep(for: .milliseconds(min(10 * attempt, 200)))
        }
        if !wasListed, let identity = tree.identity(of: folder) {
            tree.add(local: store.files(of: identity), to: folder)
        }
    }

    private func items(_ location: DocumentLocation, _ folder: UInt64) async throws -> [ViewItem] {
        do {
            return try await source.items(in: location)
        } catch {
            if error.code == .notFound, let (parent, name) = tree.place(of: folder) {
                news.send(tree.remove(name, from: parent))
            }
            throw error
        }
    }

    /// Asks for a folder in the background, if what is known of it is not fresh.
    func refreshIfNeeded(_ folder: UInt64) {
        let now = ContinuousClock.now
        guard let checked = tree.checked(folder), now - checked > freshness else { return }
        guard isDue(folder) else { return }
        Task.detached { try? await self.load(folder) }
    }

    // Not again at once, whether it succeeds or not.
    private func isDue(_ number: UInt64) -> Bool {
        let now = ContinuousClock.now
        return attempts.withLock { attempts in
            guard attempts[number].map({ now - $0 > freshness }) ?? true else { return false }
            guard loads.withLock({ $0.count }) < mostInBackground else { return false }
            attempts[number] = now
            if attempts.count > 1000 { attempts = attempts.filter { now - $0.value < freshness } }
            return true
        }
    }

    /// Asks for a document in the background, if what is known of it is not fresh: with its folder, if that was listed.
    func refreshIfNeeded(node: UInt64) {
        guard let folder = tree.parent(of: node) else { return }
        guard tree.checked(folder) == nil, folder != KernelRequest.root else { return refreshIfNeeded(folder) }
        guard let item = tree.item(of: node), item.kind == .file, !item.isLocal, !item.isBegun,
            ContinuousClock.now - (tree.checked(node) ?? .now - freshness * 2) > freshness, isDue(node)
        else { return }
        Task.detached { await self.refresh(node, in: folder) }
    }

    /// Asks for one document, or folder, whose folder is known.
    func refresh(_ node: UInt64, in folder: UInt64) async {
        let changes = tree.localChanges(of: folder)
        // It may have become a file of this machine meanwhile.
        guard let item = tree.item(of: node), !item.isLocal, !item.isBegun, let location = tree.location(of: node),
            let (_, name) = tree.place(of: node)
        else { return }
        do throws(DocumentsError) {
            let item = try await source.item(at: location)
            guard !tree.isChanging(folder),
                let (found, changes) = tree.note(item, in: folder, at: .now, since: changes, isSameFile: isSameFile)
            else { return }
            tree.forgetLookUp(found.node)
            news.send(changes)
            conflicts.note([item], in: location)
        } catch {
            guard error.code == .notFound, changes == tree.localChanges(of: folder),
                !tree.isChanging(folder), !tree.isWritten(node)
            else { return }
            news.send(tree.remove(name, from: folder))
        }
    }

    /// Asks for one entry of a folder whose entries are not all known.
    ///
    /// - Returns: the entry, which counts as looked up; nil if there is none.
    /// - Throws: ``DocumentsError``.
    func entry(_ name: String, of folder: UInt64) async throws -> FoundNode? {
        // The entries of the top, and names that were made unique, follow from the whole folder. Some sources know no
        // other way.
        if folder == KernelRequest.root || ShownNames.isMarked(name) || !source.findsByName {
            try await load(folder)
            if case .found(let node) = tree.lookUp(name, in: folder) { return node }
            return nil
        }
        guard let parent = tree.location(of: folder) else { return nil }
        if let identity = tree.identity(of: folder), let item = store.file(name, in: identity) {
            guard let number = tree.begin(name, in: folder, as: item) else { return nil }
            return tree.lookUp(number)
        }
        for _ in 0..<10 {
            let changes = tree.localChanges(of: folder)
            if case .found(let node) = tree.lookUp(name, in: folder) { return node }
            let (node, isCurrent) = try await entry(name, of: folder, at: parent, since: changes)
            if let node { return node }
            if isCurrent { return nil }
        }
        throw DocumentsError(.unavailable, "The folder changes all the time.")
    }

    // An answer from before a change made here is not current.
    private func entry(
        _ name: String, of folder: UInt64, at parent: DocumentLocation, since before: Int
    ) async throws -> (node: FoundNode?, isCurrent: Bool) {
        let path = (parent.path == "/" ? "" : parent.path) + "/" + name
        let item: ViewItem
        do throws(DocumentsError) {
            item = try await source.item(
                at: DocumentLocation(provider: parent.provider, domain: parent.domain, path: path))
        } catch {
            guard error.code == .notFound else { throw error }
            return (nil, before == tree.localChanges(of: folder))
        }
        // A provider may find it under another name, for example in other case.
        guard EntryName(item.name) == EntryName(name) else {
            try await load(folder)
            if case .found(let node) = tree.lookUp(name, in: folder) { return (node, true) }
            return (nil, true)
        }
        guard
            let (node, changes) = tree.note(item, in: folder, at: .now, since: before, isSameFile: isSameFile)
        else { return (nil, before == tree.localChanges(of: folder)) }
        news.send(changes)
        conflicts.note([item], in: parent)
        return (node, true)
    }
}
