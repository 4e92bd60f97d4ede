import DocentInterfaces
import HostCore
package import Records
import Rights

extension RemoteCatalog {
    // A provider may return folders that form a cycle.
    private static let deepest = 256

    /// Whether an item that its provider reported missing is certainly gone; if so, it is removed here.
    ///
    /// A complete listing of its folder must lack it too. If the folder is missing as well, the folder is checked in
    /// the same way, and so on upwards. A missing root proves nothing except that the service is in trouble.
    func isGone(_ item: RemoteItem) async throws -> Bool {
        var candidate = item
        var seen: Set<ItemKey> = []
        for _ in 0..<Self.deepest {
            guard candidate.key.identifier != ItemKey.rootIdentifier, seen.insert(candidate.key).inserted else {
                return false
            }
            let folder = item.key.sibling(candidate.description.parent)
            do {
                // The result of a listing that was already running proves as much: the item was requested in between.
                _ = try await list(folder)
                return try await index.item(item.key) == nil
            } catch let failure as Failure {
                guard Existence(failure) == .missing, let parent = try await index.item(folder) else { return false }
                candidate = parent
            }
        }
        return false
    }

    /// Accepts the provider's own report that items were deleted.
    ///
    /// - Returns: how many items are gone, including those below deleted folders.
    func takeDeletions(_ identifiers: [String], provider: String, domain: String) async throws -> Int {
        var count = 0
        let moving = moves.sources(provider: provider, domain: domain)
        for identifier in identifiers
        where identifier != ItemKey.rootIdentifier && !moving.contains(BytewiseText(identifier)) {
            let key = ItemKey(provider: provider, domain: domain, identifier: identifier)
            // The upload detects the deletion itself, and keeps what was saved here.
            guard !states.contains(key), let item = try await index.item(key) else { continue }
            await keeper.keepSaved(of: [item] + (try await index.descendants(of: key)))
            let removed = try await index.remove(
                key, protected: states.identifiers(provider: provider, domain: domain).union(moving))
            await note(removed: removed)
            count += removed.count
        }
        return count
    }

    /// Keeps what was saved on this machine in items that a listing leaves out, before they are removed: on a server
    /// without identifiers a document that was renamed elsewhere is gone, and a new one has come.
    func keepSaved(in folder: ItemKey, listed: [ItemDescription], protected: Set<BytewiseText>) async throws {
        var missing: [BytewiseText: RemoteItem] = [:]
        for item in try await index.copiesAndFolders(in: folder) {
            let identifier = BytewiseText(item.key.identifier)
            if !protected.contains(identifier) { missing[identifier] = item }
        }
        guard !missing.isEmpty else { return }
        for description in listed { missing[BytewiseText(description.identifier)] = nil }
        for item in missing.values {
            await keeper.keepSaved(of: [item])
            if item.description.isFolder { await keeper.keepSaved(of: try await index.descendants(of: item.key)) }
        }
    }

    /// Removes the local data of items that are gone. Unsent changes are kept as versions.
    package func note(removed: [RemoteItem]) async {
        await keeper.keepUnsent(of: removed.filter { $0.local != nil || states.contains($0.key) })
        await local.forget(removed)
        for item in removed { changes.contentChanged(item.key) }
        for folder in Set(removed.map { $0.key.sibling($0.description.parent) }) { changes.entriesChanged(folder) }
    }
}
