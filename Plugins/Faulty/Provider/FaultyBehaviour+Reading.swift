import FileProvider
import Synchronization

extension FaultyBehaviour {
    /// The number of items on a page.
    private var pageSize: Int { 50 }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        try await core.trouble("item", identifier)
        let isRoot = identifier == .rootContainer
        if isRoot, core.script.strikes("item.rootFails") {
            throw FileProviderError(.noSuchItem, "There is no top folder.")
        }
        do {
            return core.describe(try core.entry(identifier), in: .alone)
        } catch  where core.script.has("item.unknownSucceeds") && !isRoot {
            guard core.script.strikes("item.unknownSucceeds") else { throw error }
            return FileProviderItem(
                identifier: identifier, parent: .rootContainer, filename: "Nobody", size: 0,
                version: ItemVersion(content: "v0"))
        }
    }

    func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        try await core.trouble("child", parent, name: name)
        let folder = try core.entry(parent)
        let children = try core.tree.read { try $0.list(folder.identifier) }
        if let entry = children.first(where: { $0.isNamed(name) }) { return core.describe(entry, in: .alone) }
        if core.script.strikes("child.ignoresCase"),
            let entry = children.first(where: { $0.name.lowercased() == name.lowercased() })
        {
            return core.describe(entry, in: .alone)
        }
        if core.script.strikes("child.unknownSucceeds"), let entry = children.first {
            return core.describe(entry, in: .alone)
        }
        throw FileProviderError(.noSuchItem, "There is no \"\(name)\" in the folder.")
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        let script = core.script
        do {
            try await core.trouble("children", parent)
        } catch  where core.service.isUnreachable {
            guard script.strikes("unreachable.empty") else { throw error }
            return ItemPage(items: [])
        }
        var all: [Entry]
        do {
            let folder = try core.entry(parent)
            if !folder.isFolder, script.strikes("children.ofDocument") { return ItemPage(items: []) }
            all = try core.tree.read { try $0.list(folder.identifier) } + ghosts(folder)
        } catch  where script.has("children.ofUnknown") {
            guard script.strikes("children.ofUnknown") else { throw error }
            return ItemPage(items: [])
        }
        if script.strikes("children.staleForOthers") { all = core.withoutForeign(all, of: core.known(parent)) }
        let start = try position(page, all, parent)
        var shown = Array(all.dropFirst(start).prefix(pageSize))
        let isLast = start + shown.count >= all.count
        let token = shown.last.map { "\(parent)/\($0.name)" }
        if start > 0, script.strikes("children.repeats") { shown.insert(all[start - 1], at: 0) }
        if script.strikes("children.loses"), all.count > 9 {
            shown = shown.enumerated().filter { (start + $0.offset) % 10 != 9 }.map(\.element)
        }
        let items = shown.map { core.describe($0, in: .list) }
        if isLast, !all.isEmpty, script.strikes("children.neverEnds") {
            return ItemPage(items: items, nextPage: "\(parent)/")
        }
        if !isLast, script.strikes("children.longToken") {
            return ItemPage(items: items, nextPage: String(repeating: "t", count: 600))
        }
        return ItemPage(items: items, nextPage: isLast ? nil : token)
    }

    /// The position after the name in the token: changes meanwhile neither repeat nor skip an item.
    private func position(_ page: String?, _ all: [Entry], _ parent: ItemIdentifier) throws -> Int {
        guard let page else { return 0 }
        let prefix = "\(parent)/"
        guard page.hasPrefix(prefix) else {
            throw FileProviderError(.invalidArgument, "This is not a page of this folder.")
        }
        let name = page.utf8.dropFirst(prefix.utf8.count)
        return all.firstIndex { name.lexicographicallyPrecedes($0.name.utf8) } ?? all.count
    }

    private func ghosts(_ folder: Entry) -> [Entry] {
        var ghosts: [Entry] = []
        let buried = core.graves.withLock { $0.values.filter { $0.parent == folder.identifier } }
        if !buried.isEmpty, core.script.strikes("children.showsDeleted") { ghosts += buried }
        if core.script.strikes("children.phantom") {
            ghosts.append(
                Entry(
                    identifier: "phantom", parent: folder.identifier, name: "phantom", isFolder: false, version: "v0",
                    created: 0, modified: 0))
        }
        return ghosts
    }
}
