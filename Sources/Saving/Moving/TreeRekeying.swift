import DocentInterfaces
import FoundationEssentials
import HostCore
import Records
import RemoteDocuments
import Rights
import Storage

/// Follows a remote item whose identifier changed with a move, and everything below it. Items of the old tree are found
/// in the provider's new listings by their relative names.
struct TreeRekeying: Sendable {
    /// The new identifier of each item.
    struct Plan: Sendable {
        var old: [RemoteItem] = []
        var tree: [ItemIndex.Rekeying] = []
        /// The items that no longer exist.
        var gone: [ItemKey] = []
    }

    let parts: RemoteParts
    let catalog: RemoteCatalog

    /// Asks the provider for the new identifiers. Changes nothing; can be repeated.
    ///
    /// - Parameter item: the item as it is in the index, under its old identifier.
    func plan(_ item: RemoteItem, _ description: ItemDescription) async throws -> Plan {
        var plan = Plan()
        plan.old.append(item)
        plan.tree.append(.init(key: item.key, description: description))
        var folders = item.description.isFolder ? [(old: item.key, new: description.identifier)] : []
        var seen: Set<BytewiseText> = [BytewiseText(description.identifier)]
        while let folder = folders.popLast() {
            let known = try await parts.index.children(of: folder.old, after: nil, limit: PageSequence.mostItems)
                .filter { !$0.isProvisional }
            guard !known.isEmpty else { continue }
            let listed = try await list(item.key.sibling(folder.new))
            for child in known {
                guard let now = listed[Array(child.description.name.utf8)],
                    now.isFolder == child.description.isFolder, seen.insert(BytewiseText(now.identifier)).inserted
                else {
                    plan.gone.append(child.key)
                    continue
                }
                plan.old.append(child)
                plan.tree.append(.init(key: child.key, description: now))
                if now.isFolder { folders.append((child.key, now.identifier)) }
            }
        }
        return plan
    }

    private func list(_ folder: ItemKey) async throws -> [[UInt8]: ItemDescription] {
        var result: [[UInt8]: ItemDescription] = [:]
        var pages = PageSequence(provider: folder.provider, folder: folder.identifier)
        var page: String?
        repeat {
            let reply = try await parts.access.call(
                FileProviderInterface.Children.self,
                .init(domain: folder.domain, parent: folder.identifier, page: page), provider: folder.provider,
                domain: folder.domain, isForced: true)
            page = try pages.next(reply.nextPage, items: reply.items.count)
            for item in reply.items where ItemDescription.problem(item, isChild: true) == nil {
                result[Array(item.name.utf8)] = ItemDescription(item, in: folder.identifier)
            }
        } while page != nil
        return result
    }

    /// Stores the local copies under their new identifiers, then records the new tree and the end of the change in one
    /// transaction, then removes the old copies. A kill before the transaction changes nothing; after a later kill,
    /// ``clean(_:)`` does the rest.
    func carryOut(_ plan: Plan, finishing change: ItemChange) async throws {
        var plan = plan
        for (position, item) in plan.old.enumerated() {
            guard let local = item.local else { continue }
            let one = plan.tree[position]
            plan.tree[position].local = try await parts.places.adopt(
                local, of: item.key, as: one.new, name: one.description.name)
        }
        parts.crash(.published)
        // Answers to earlier questions about these items are no longer trusted.
        catalog.moves.left(plan.old.map(\.key))
        let removed = try await parts.index.rekey(plan.tree, gone: plan.gone, finishing: change)
        parts.crash(.recorded)
        for one in plan.tree {
            let (key, new) = (one.key, one.new)
            parts.aliases.add(key, now: new)
            parts.states.rekey(key, to: new)
            parts.usage.rekey(key, to: new)
            parts.changes.contentChanged(key)
            parts.changes.contentChanged(new)
        }
        await parts.local.forget(plan.old)
        for one in plan.tree where one.local == nil {
            if let item = try? await parts.index.item(one.new) { catalog.placeholders.note(item) }
        }
        await catalog.note(removed: removed)
    }

    /// Removes copies and placeholders under old identifiers that a kill left behind.
    func clean(_ change: ItemChange) async {
        var left: [RemoteItem] = []
        for (former, now) in (try? await parts.index.aliases()) ?? []
        where former.provider == change.key.provider && former.domain == change.key.domain {
            guard let item = try? await parts.index.item(now), (try? await parts.index.item(former)) == .some(nil)
            else { continue }
            var old = item
            old.key = former
            if former == change.key {
                old.description.name = change.formerName
                old.local?.name = change.formerName
            }
            left.append(old)
        }
        await parts.local.forget(left)
    }
}
