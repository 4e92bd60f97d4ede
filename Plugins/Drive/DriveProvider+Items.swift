import DriveStore
package import FileProvider

extension DriveProvider {
    private static let pageSize = 500
    private static let mostChanges = 5000

    /// What the drive shows, as far as this device knows.
    func items() async throws -> DriveItems { DriveItems(tree: await (try device()).tree) }

    /// Describes an item.
    package func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        guard let item = try await items().item(for: identifier) else {
            throw FileProviderError(.noSuchItem, "The item is not in the drive any more.")
        }
        return item
    }

    /// One page of a folder, in the order of identifiers, so that changes in between repeat or omit nothing else.
    package func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        if page == nil { try await freshen() }
        let items = try await items()
        guard let folder = DriveItems.item(parent), items.item(for: parent)?.isFolder == true else {
            throw FileProviderError(.noSuchItem, "The folder is not in the drive any more.")
        }
        let all = items.children(of: folder).sorted { $0.identifier.rawValue < $1.identifier.rawValue }
        let rest = page.map { last in all.filter { $0.identifier.rawValue > last } } ?? all
        let slice = Array(rest.prefix(Self.pageSize))
        return ItemPage(
            items: slice, nextPage: rest.count > slice.count ? slice.last?.identifier.rawValue : nil)
    }

    /// Reads what is new, and compares with the tree at the anchor.
    package func changes(since anchor: String?) async throws -> ItemChanges {
        let device = try device()
        try await synchronize(device)
        let (tree, now) = await device.treeAndAnchor
        guard let anchor else { return ItemChanges(anchor: now.text) }
        guard let known = DriveAnchor(anchor), let before = await device.tree(at: known) else {
            throw FileProviderError(.syncAnchorExpired, "The drive does not know any more what it was like then.")
        }
        let (changed, deleted) = Self.differences(from: DriveItems(tree: before), to: DriveItems(tree: tree))
        guard changed.count + deleted.count <= Self.mostChanges else {
            throw FileProviderError(.syncAnchorExpired, "Too much has changed since then.")
        }
        return ItemChanges(changed: changed, deleted: deleted, anchor: now.text)
    }

    /// The items that are new or different, and the identifiers of those that are gone.
    static func differences(
        from before: DriveItems, to after: DriveItems
    ) -> (changed: [FileProviderItem], deleted: [ItemIdentifier]) {
        let (old, new) = (before.all, after.all)
        let changed = new.values.filter { old[$0.identifier] != $0 }
        let deleted = old.keys.filter { new[$0] == nil }
        return (
            changed.sorted { $0.identifier.rawValue < $1.identifier.rawValue },
            deleted.sorted { $0.rawValue < $1.rawValue }
        )
    }

    /// Looks for news every two seconds while somebody looks at the drive.
    package func startObserving(_ identifier: ItemIdentifier) async throws {
        let device = try device()
        observation.start(identifier) { [weak self] in
            var shown = DriveItems(tree: await device.tree)
            var generation = await device.generation
            var pause = 2
            while !Task.isCancelled {
                guard (try? await Task.sleep(for: .seconds(pause))) != nil, let self else { return }
                do {
                    try await self.synchronize(device)
                    pause = 2
                } catch {
                    // The store is away: more and more patient, up to a minute.
                    pause = min(pause * 2, 60)
                }
                guard await device.generation != generation else { continue }
                generation = await device.generation
                let next = DriveItems(tree: await device.tree)
                let (changed, deleted) = Self.differences(from: shown, to: next)
                shown = next
                self.host.signalChanged(changed.map(\.identifier))
                self.host.signalDeleted(deleted)
            }
        }
    }

    /// Stops looking when nobody is left.
    package func stopObserving(_ identifier: ItemIdentifier) async { observation.stop(identifier) }
}
