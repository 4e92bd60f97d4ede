import FileProvider

extension FaultyBehaviour {
    func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try await core.trouble("move", identifier)
        try allows(.move, "move")
        if let done = try core.tree.read({ try $0.answer(operation) }) {
            return core.describe(done.entry, in: .answer)
        }
        let known = core.known(identifier)
        let target = core.known(parent)
        let fault = { (name: String) in core.script.strikes("move.\(name)", known) }
        var old = try core.entry(identifier)
        var moved = old
        moved.parent = target
        moved.name = NameRules(script: core.script).stored(name)
        if fault("lost") { return core.describe(moved, in: .answer) }
        if fault("newIdentifier") || fault("copies") { moved.identifier = "i\(core.tree.number())" }
        if fault("losesContent"), let content = moved.content { try core.tree.files.store([], as: content) }
        let isCopy = core.script.has("move.copies")
        let wanted = moved
        let made: Entry = try core.tree.commit { state in
            old = try state.entry(known)
            try check(old, baseVersion, wanted, state)
            var change = TreeChange(
                entries: [wanted],
                done: TreeChange.Done(operation: operation.identifier, digest: operation.digest, entry: wanted))
            if wanted.identifier != known, !isCopy { change.removed = [known] }
            if let taken = state.child(wanted.name, of: target), taken.identifier != known {
                change.removed.append(taken.identifier)
            }
            let within = state.subtree(known).map(\.identifier).filter { $0 != known }
            if !within.isEmpty, fault("losesChildren") { change.removed += within }
            if target == known || within.contains(target) { change.removed += within }
            return (change, wanted)
        }
        core.signal(changed: [old.parent, made.parent, made.identifier])
        return core.describe(made, in: .answer)
    }

    private func check(_ old: Entry, _ base: ItemVersion?, _ wanted: Entry, _ state: TreeState) throws {
        func fault(_ name: String) -> Bool { core.script.strikes("move.\(name)", old.identifier) }
        if let base, !old.isFolder, base.content != core.describe(old, in: .answer).version?.content,
            !fault("ignoresBase")
        {
            throw FileProviderError(.versionOutOfDate, "\"\(old.name)\" was changed meanwhile.")
        }
        guard try state.entry(wanted.parent).isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(wanted.parent)\" is a document and not a folder.")
        }
        let within = old.isFolder && state.subtree(old.identifier).contains { $0.identifier == wanted.parent }
        if within, !fault("intoItself") {
            throw FileProviderError(.invalidArgument, "\"\(old.name)\" cannot be moved into itself.")
        }
        if let taken = state.child(wanted.name, of: wanted.parent), taken.identifier != old.identifier,
            !fault("replaces")
        {
            throw collision(wanted.name)
        }
    }

    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        try await core.trouble("delete", identifier)
        try allows(.delete, "delete")
        let known = core.known(identifier)
        let fault = { (name: String) in core.script.strikes("delete.\(name)", known) }
        let old = try core.entry(identifier)
        if fault("lost") { return }
        let takesMore = fault("siblings")
        let gone: [Entry] = try core.tree.commit(isKept: !fault("volatile")) { state in
            let entry = try state.entry(known)
            if let baseVersion, !entry.isFolder,
                baseVersion.content != core.describe(entry, in: .answer).version?.content, !fault("ignoresBase")
            {
                throw FileProviderError(.versionOutOfDate, "\"\(entry.name)\" was changed meanwhile.")
            }
            var gone = state.subtree(known)
            guard recursive || gone.count == 1 || fault("notEmpty") else {
                throw FileProviderError(.directoryNotEmpty, "\"\(entry.name)\" is not empty.")
            }
            if gone.count > 1, fault("orphans") { gone = [entry] }
            if takesMore, let sibling = try state.list(entry.parent).first(where: { $0.identifier != known }) {
                gone += state.subtree(sibling.identifier)
            }
            return (TreeChange(removed: gone.map(\.identifier)), gone)
        }
        core.bury(gone)
        core.signal(changed: [old.parent], deleted: gone.map(\.identifier))
    }
}
