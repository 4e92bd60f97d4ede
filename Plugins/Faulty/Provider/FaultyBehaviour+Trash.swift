import FileProvider
import FoundationEssentials

extension FaultyBehaviour {
    func trashItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> String? {
        try allows(.trash, "trash")
        core.bury(try core.others.act(before: "trash", on: core.tree))
        let known = core.known(identifier)
        let fault = { (name: String) in core.script.strikes("trash.\(name)", known) }
        _ = try core.entry(identifier)
        if fault("lost") { return known }
        let (deletes, takesOther) = (fault("deletes"), fault("otherItem"))
        let gone: [Entry] = try core.tree.commit { state in
            var entry = try state.entry(known)
            if let baseVersion, !entry.isFolder,
                baseVersion.content != core.describe(entry, in: .answer).version?.content, !fault("ignoresBase")
            {
                throw FileProviderError(.versionOutOfDate, "\"\(entry.name)\" was changed meanwhile.")
            }
            if takesOther, let other = try state.list(entry.parent).first(where: { $0.identifier != known }) {
                entry = other
            }
            let gone = state.subtree(entry.identifier)
            let tree = TreeChange.TrashedTree(entries: gone, deleted: Date.now.timeIntervalSince1970)
            return (TreeChange(removed: gone.map(\.identifier), trashed: deletes ? nil : [tree]), gone)
        }
        core.bury(gone)
        core.signal(changed: gone.first.map { [$0.parent] } ?? [], deleted: gone.map(\.identifier))
        return known
    }

    func trashedItems(page: String?) async throws -> TrashPage {
        try allows(.trash, "trash")
        let foreign = core.script.strikes("trash.foreignItems")
        return try core.tree.read { state in
            var items = state.trash.values.sorted { $0.deleted > $1.deleted }.compactMap { tree in
                tree.entries.first.map { self.trashed($0, tree.deleted, state) }
            }
            if foreign { items += try state.list(TreeState.root).map { self.trashed($0, 0, state) } }
            return TrashPage(items: items)
        }
    }

    private func trashed(_ entry: Entry, _ deleted: Double, _ state: TreeState) -> TrashedItem {
        let parent = try? state.entry(entry.parent)
        var path: [String]? = [entry.name]
        var above = parent
        while let folder = above, folder.identifier != TreeState.root {
            path?.insert(folder.name, at: 0)
            above = try? state.entry(folder.parent)
        }
        if above == nil { path = nil }
        return TrashedItem(
            identifier: entry.identifier, filename: entry.name, path: path,
            parent: parent.map { ItemIdentifier($0.identifier) }, item: ItemIdentifier(entry.identifier),
            deletionDate: deleted, size: entry.isFolder ? nil : entry.size, isFolder: entry.isFolder)
    }

    func restoreItem(
        _ trashed: String, to parent: ItemIdentifier?, named name: String?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try allows(.trash, "trash")
        if let done = try core.tree.read({ try $0.answer(operation) }) {
            return core.describe(done.entry, in: .answer)
        }
        let fault = { (name: String) in core.script.strikes("trash.\(name)", trashed) }
        let (copies, number) = (fault("copies"), fault("newIdentifier") ? core.tree.number() : nil)
        let made: Entry = try core.tree.commit { state in
            guard let tree = state.trash[trashed], var entry = tree.entries.first else {
                throw FileProviderError(.noSuchItem, "It is not in the trash.")
            }
            entry.parent = parent.map(core.known) ?? entry.parent
            entry.name = name.map(NameRules(script: core.script).stored) ?? entry.name
            if fault("otherName") { entry.name += " (restored)" }
            guard try state.entry(entry.parent).isFolder else {
                throw FileProviderError(.invalidArgument, "\"\(entry.parent)\" is a document and not a folder.")
            }
            var removed: [String] = []
            if let taken = state.child(entry.name, of: entry.parent) {
                guard fault("replaces") else {
                    throw FileProviderError(.filenameCollision, "There is already a \"\(entry.name)\".")
                }
                removed = state.subtree(taken.identifier).map(\.identifier)
            }
            if let number { entry.identifier = "i\(number)" }
            let within = fault("losesChildren") ? [] : Array(tree.entries.dropFirst())
            return (
                TreeChange(
                    entries: [entry] + within, removed: removed,
                    done: TreeChange.Done(operation: operation.identifier, digest: operation.digest, entry: entry),
                    untrashed: copies ? nil : [trashed]), entry
            )
        }
        core.signal(changed: [made.parent, made.identifier])
        return core.describe(made, in: .answer)
    }

    func deleteTrashedItem(_ trashed: String) async throws {
        try allows(.trash, "trash")
        let empties = core.script.strikes("trash.empties", trashed)
        try core.tree.commit { state in
            guard state.trash[trashed] != nil else {
                throw FileProviderError(.noSuchItem, "It is not in the trash.")
            }
            return (TreeChange(untrashed: empties ? Array(state.trash.keys) : [trashed]), ())
        }
    }
}
