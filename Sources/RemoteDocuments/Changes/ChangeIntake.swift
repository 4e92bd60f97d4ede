import DocentInterfaces
import FoundationEssentials
package import HostCore
import Records
package import Rights

/// Takes in the changes of a domain: from the provider's own list of changes if it keeps one, otherwise by asking again
/// for the folders and documents in use.
package struct ChangeIntake: Sendable {
    /// The outcome of a look for changes.
    package struct Result: Hashable, Sendable {
        package var changed = 0
        package var deleted = 0
        /// Folders whose listing waits to be accepted.
        package var held: [ItemKey] = []

        package init() {}
    }

    // A list of changes that never ends is cut; the next look continues.
    private static let mostPages = 1000
    // A large number of deletions is believed only when the listings confirm it; the listings hold such deletions back
    // (HAZARDS 4).
    private static let mostDeletions = 25

    private let catalog: RemoteCatalog
    private let usage: DocumentUsage

    package init(catalog: RemoteCatalog, usage: DocumentUsage) {
        self.catalog = catalog
        self.usage = usage
    }

    /// Looks for changes in a domain.
    ///
    /// - Parameter presented: the presented items. They are checked whether they were used or not; a folder together
    ///   with its listed contents.
    package func look(_ domain: DomainKey, accept: Bool, presented: [ItemKey] = []) async throws -> Result {
        var result = Result()
        if try await catalog.access.features(domain.provider).contains("changes") {
            if try await takeChanges(domain, &result) { return result }
        }
        let since = Date.now.addingTimeInterval(-ChangePoller.watchSeconds)
        var listed: Set<ItemKey> = []
        for folder in try await catalog.index.listedFolders(
            provider: domain.provider, domain: domain.domain, usedSince: since)
        {
            try await list(folder.key, accept, &result)
            listed.insert(folder.key)
        }
        let shown = try await known(presented)
        for folder in shown where folder.description.isFolder && listed.insert(folder.key).inserted {
            try await list(folder.key, accept, &result)
        }
        for item in try await watched(domain, since, shown)
        where !listed.contains(item.key.sibling(item.description.parent)) {
            try await check(item, &result)
        }
        return result
    }

    /// Checks a document, or a folder and every listed folder below it, now.
    package func refresh(_ key: ItemKey, accept: Bool) async throws -> Result {
        var result = Result()
        let item = try await catalog.current(key, forced: true)
        guard item.description.isFolder else {
            result.changed = item.local != nil && !item.isCurrent ? 1 : 0
            return result
        }
        try await list(item.key, accept, &result)
        for folder in try await catalog.index.descendants(of: item.key)
        where folder.description.isFolder && folder.listed != nil {
            // Removed together with a parent folder: no need to ask.
            guard try await catalog.index.item(folder.key) != nil else { continue }
            try await list(folder.key, accept, &result)
        }
        return result
    }

    /// Asks for one item that was reported as changed. A failure is ignored: the next look finds the change.
    func check(_ key: ItemKey) async {
        guard let item = try? await catalog.known(key) else { return }
        var result = Result()
        try? await check(item, &result)
    }

    private func check(_ item: RemoteItem, _ result: inout Result) async throws {
        guard !item.isProvisional else { return }
        do {
            let now = try await catalog.current(item.key, forced: true)
            if now.description != item.description { result.changed += 1 }
            if now.description.isFolder, now.listed != nil { try await list(now.key, false, &result) }
        } catch let failure as Failure {
            guard Existence(failure) == .missing || failure.code == .notFound else { throw failure }
            if try await catalog.index.item(item.key) == nil { result.deleted += 1 }
        }
    }

    private func list(_ folder: ItemKey, _ accept: Bool, _ result: inout Result) async throws {
        do {
            guard let outcome = try await catalog.list(folder, accept: accept) else { return }
            result.changed += outcome.changed
            result.deleted += outcome.removed
            if outcome.isHeld { result.held.append(folder) }
        } catch let failure as Failure {
            guard Existence(failure) == .missing, let known = try await catalog.index.item(folder) else {
                throw failure
            }
            if try await catalog.isGone(known) { result.deleted += 1 }
        }
    }

    // The presented items, and the folders in them that have been listed.
    private func known(_ presented: [ItemKey]) async throws -> [RemoteItem] {
        var items: [RemoteItem] = []
        for key in presented {
            guard let item = try await catalog.index.item(key) else { continue }
            items.append(item)
            guard item.description.isFolder else { continue }
            items += try await catalog.index.descendants(of: key).filter {
                $0.description.isFolder && $0.listed != nil
            }
        }
        return items
    }

    // Documents that are presented, or whose local copies must stay current.
    private func watched(_ domain: DomainKey, _ since: Date, _ shown: [RemoteItem]) async throws -> [RemoteItem] {
        let index = catalog.index
        var items = shown.filter { !$0.description.isFolder }
        var keys = Set(items.map(\.key))
        let copies = try await index.localCopies(provider: domain.provider, domain: domain.domain)
        for item in copies
        where item.isPinned || (item.lastUsed.map { $0 >= since } ?? false) || usage.isInUse(item.key) {
            if keys.insert(item.key).inserted { items.append(item) }
        }
        return items
    }

    // MARK: A provider's own list

    // Returns true when nothing is left to do; otherwise the folders in use are listed too.
    private func takeChanges(_ domain: DomainKey, _ result: inout Result) async throws -> Bool {
        let (provider, name) = (domain.provider, domain.domain)
        guard var anchor = try await catalog.index.anchor(provider: provider, domain: name) else {
            let now = try await changes(domain, nil)
            try await catalog.index.setAnchor(now.anchor, provider: provider, domain: name)
            return false
        }
        var seen: Set<BytewiseText> = [BytewiseText(anchor)]
        for _ in 0..<Self.mostPages {
            let news: FileProviderInterface.Changes.Reply
            do {
                news = try await changes(domain, anchor)
            } catch let failure as Failure {
                guard failure.kind == .expired else { throw failure }
                // Earlier changes are found by listing; changes from now on are reported again.
                let now = try await changes(domain, nil)
                try await catalog.index.setAnchor(now.anchor, provider: provider, domain: name)
                return false
            }
            // Reported again at the next look, when it is known which changes are our own.
            guard try await !concernsReplaced(news, domain) else { break }
            try await take(news, domain, &result)
            anchor = news.anchor
            try await catalog.index.setAnchor(anchor, provider: provider, domain: name)
            guard news.more else { break }
            // Repeated anchors lead nowhere: the missing changes are found by listing.
            guard seen.insert(BytewiseText(anchor)).inserted else { return false }
        }
        return true
    }

    private func concernsReplaced(
        _ news: FileProviderInterface.Changes.Reply, _ domain: DomainKey
    ) async throws -> Bool {
        let root = ItemKey(provider: domain.provider, domain: domain.domain, identifier: ItemKey.rootIdentifier)
        for identifier in news.changed.map(\.identifier) + news.deleted
        where try await catalog.replacing(root.sibling(identifier)) != nil { return true }
        return false
    }

    private func changes(
        _ domain: DomainKey, _ anchor: String?
    ) async throws -> FileProviderInterface.Changes.Reply {
        try await catalog.access.call(
            FileProviderInterface.Changes.self, .init(domain: domain.domain, anchor: anchor), provider: domain.provider,
            domain: domain.domain)
    }

    private func take(
        _ news: FileProviderInterface.Changes.Reply, _ domain: DomainKey, _ result: inout Result
    ) async throws {
        let root = ItemKey(provider: domain.provider, domain: domain.domain, identifier: ItemKey.rootIdentifier)
        let usable = news.changed.filter { ItemDescription.problem($0, isChild: false) == nil }
        // The listings of the folders concerned stay complete: new items are merged into them.
        let merged = try await catalog.index.merge(
            usable.map { ItemDescription($0) }, provider: domain.provider, domain: domain.domain, at: .now)
        catalog.note(changed: merged.filter(\.changed).map(\.item))
        result.changed += merged.count
        guard news.deleted.count > Self.mostDeletions else {
            result.deleted += try await catalog.takeDeletions(
                news.deleted, provider: domain.provider, domain: domain.domain)
            return
        }
        var folders: Set<ItemKey> = []
        for identifier in news.deleted {
            if let item = try await catalog.index.item(root.sibling(identifier)) {
                folders.insert(root.sibling(item.description.parent))
            }
        }
        for folder in folders { try await list(folder, false, &result) }
    }
}
