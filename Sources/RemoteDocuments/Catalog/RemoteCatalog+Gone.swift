import DocentInterfaces
import HostCore
package import Records
import Rights

extension RemoteCatalog {
    // A provider may make its folders a circle.
    private static let deepest = 256

    /// Whether an item that its provider called missing is gone for certain; if so, it is removed here.
    ///
    /// A complete listing of its folder must lack it too. When the folder is missing as well, the same is asked of the folder,
    /// and so on upwards; a root that is missing says nothing but that the service is in trouble.
    func isGone(_ item: RemoteItem) async throws -> Bool {
        var candidate = item
        var seen: Set<ItemKey> = []
        for _ in 0..<Self.deepest {
            guard candidate.key.identifier != ItemKey.rootIdentifier, seen.insert(candidate.key).inserted else {
                return false
            }
            let folder = item.key.sibling(candidate.description.parent)
            do {
                // A result that was begun before proves nothing less: the item was asked for meanwhile.
                _ = try await list(folder)
                return try await index.item(item.key) == nil
            } catch let failure as Failure {
                guard Existence(failure) == .missing, let parent = try await index.item(folder) else { return false }
                candidate = parent
            }
        }
        return false
    }

    /// Takes a provider's own word that items were deleted.
    ///
    /// - Returns: how many are gone, those below deleted folders included.
    func takeDeletions(_ identifiers: [String], provider: String, domain: String) async throws -> Int {
        var count = 0
        let moving = moves.sources(provider: provider, domain: domain)
        for identifier in identifiers
        where identifier != ItemKey.rootIdentifier && !moving.contains(ExactText(identifier)) {
            let key = ItemKey(provider: provider, domain: domain, identifier: identifier)
            // Its upload finds out by itself, and keeps what was saved here.
            guard !states.contains(key), try await index.item(key) != nil else { continue }
            let removed = try await index.remove(
                key, protected: states.identifiers(provider: provider, domain: domain).union(moving))
            await note(removed: removed)
            count += removed.count
        }
        return count
    }

    /// Drops what is here of items that are gone; unsent changes of them are kept as versions.
    package func note(removed: [RemoteItem]) async {
        await keeper.keepUnsent(of: removed.filter { $0.local != nil || states.contains($0.key) })
        await local.forget(removed)
        for item in removed { changes.contentChanged(item.key) }
    }
}
