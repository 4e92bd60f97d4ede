import FileProvider
import FoundationEssentials
import Synchronization

/// An unfinished package: its new contents are stored, but nothing refers to them yet.
final class FaultyPackage: PackageReplacement {
    private struct Stored {
        var content: String
        var size: Int
    }

    private let core: FaultyCore
    private let target: PackageTarget
    private let elements: [PackageElement]
    private let operation: ChangeOperation
    private let stored = Mutex<[String: Stored]>([:])

    init(core: FaultyCore, target: PackageTarget, elements: [PackageElement], operation: ChangeOperation) throws {
        self.core = core
        self.target = target
        self.elements = elements.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        self.operation = operation
        for element in elements {
            let names = element.path.split(separator: "/", omittingEmptySubsequences: false)
            guard !names.contains(where: { ["", ".", ".."].contains($0) || $0.utf8.count > 255 }) else {
                throw FileProviderError(.invalidArgument, "\"\(element.path)\" cannot be the path of an element.")
            }
        }
    }

    deinit { core.tree.files.remove(stored.withLock { $0.values.map(\.content) }) }

    var neededPaths: [String] {
        if core.script.strikes("package.needsNothing") { return [] }
        return elements.filter { !$0.isFolder && $0.version == nil }.map(\.path)
    }

    func stage(_ path: String, contents: ContentReader) async throws {
        guard elements.contains(where: { $0.path == path && !$0.isFolder && $0.version == nil }) else {
            throw FileProviderError(.invalidArgument, "No content is needed at \"\(path)\".")
        }
        let name = "c\(core.tree.number())"
        try await core.tree.files.store(contents, as: name, progress: TransferProgress(), service: core.service)
        let before = stored.withLock { $0.updateValue(Stored(content: name, size: contents.size), forKey: path) }
        core.tree.files.remove([before?.content].compactMap { $0 })
        if core.script.strikes("package.early") {
            let contents = stored.withLock { $0.mapValues { ($0.content, $0.size) } }
            try core.tree.commit(isKept: false) { state in
                (try self.plan(state, contents: contents, isEarly: true).0, ())
            }
        }
    }

    func commit() async throws -> ModifiedItem { try await commit(metadata: nil) }

    func commit(metadata: ItemMetadata?) async throws -> ModifiedItem {
        let contents = stored.withLock { $0.mapValues { ($0.content, $0.size) } }
        guard neededPaths.allSatisfy({ contents[$0] != nil }) else {
            throw FileProviderError(.invalidArgument, "The content of some elements was not given.")
        }
        let package: Entry = try core.tree.commit { state in
            var (change, package) = try self.plan(state, contents: contents)
            if let date = metadata?.modificationDate { package.modified = date.timeIntervalSince1970 }
            change.entries[0] = package
            change.done = TreeChange.Done(
                operation: self.operation.identifier, digest: self.operation.digest, entry: package)
            return (change, package)
        }
        stored.withLock { $0 = [:] }
        core.signal(changed: [package.parent, package.identifier])
        return ModifiedItem(item: core.describe(package, in: .answer))
    }

    /// The change that puts it in its place, the package itself first.
    ///
    /// - Throws: `versionOutOfDate` when an unchanged element has another version by now.
    func plan(
        _ state: TreeState, contents: [String: (String, Int)], isEarly: Bool = false
    ) throws -> (TreeChange, Entry) {
        var package = try folder(state, isEarly)
        package.modified = Date().timeIntervalSince1970
        let old = Self.paths(below: package.identifier, state)
        var change = TreeChange(entries: [package])
        var folders = ["": package.identifier]
        var used: Set<String> = []
        for (position, element) in elements.enumerated() {
            if position > 0, core.script.strikes("package.losesElement", element.path) { continue }
            if isEarly, !element.isFolder, element.version == nil, contents[element.path] == nil { continue }
            let slash = element.path.lastIndex(of: "/")
            let parent = slash.map { String(element.path[..<$0]) } ?? ""
            guard let folder = folders[parent] else {
                throw FileProviderError(.invalidArgument, "\"\(element.path)\" is in a folder that is not an element.")
            }
            var entry = try made(element, old, contents, used)
            entry.parent = folder
            entry.name = slash.map { String(element.path[element.path.index(after: $0)...]) } ?? element.path
            if element.isFolder { folders[element.path] = entry.identifier }
            used.insert(entry.identifier)
            change.entries.append(entry)
        }
        if !isEarly, !core.script.strikes("package.keepsRemoved") {
            change.removed = old.values.map(\.identifier).filter { !used.contains($0) }
        }
        return (change, package)
    }

    private func folder(_ state: TreeState, _ isEarly: Bool) throws -> Entry {
        switch target {
        case .existing(let identifier, _):
            let entry = try state.entry(core.known(identifier))
            guard entry.isFolder else {
                throw FileProviderError(.versionOutOfDate, "\"\(entry.name)\" is not a folder any more.")
            }
            return entry
        case .new(let parent, let filename):
            let name = NameRules(script: core.script).stored(filename)
            let identifier = "p\(operation.identifier)"
            guard try state.entry(core.known(parent)).isFolder else {
                throw FileProviderError(.invalidArgument, "\"\(parent)\" is a document and not a folder.")
            }
            if let taken = state.child(name, of: core.known(parent)), taken.identifier != identifier {
                throw FileProviderError(.filenameCollision, "There is already a \"\(name)\".")
            }
            let now = Date().timeIntervalSince1970
            return Entry(
                identifier: identifier, parent: core.known(parent), name: name, isFolder: true, version: "0",
                created: now, modified: now)
        }
    }

    private func made(
        _ element: PackageElement, _ old: [String: Entry], _ contents: [String: (String, Int)], _ used: Set<String>
    ) throws -> Entry {
        let before = old[element.source ?? element.path]
        if let version = element.version {
            guard let before, !before.isFolder,
                before.version == version.content || core.script.strikes("package.ignoresBase")
            else {
                throw FileProviderError(.versionOutOfDate, "\"\(element.path)\" in the package was changed meanwhile.")
            }
            return before
        }
        if element.isFolder, let before, before.isFolder { return before }
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        let isSame = before.map { !$0.isFolder && !used.contains($0.identifier) && !isKeptElsewhere($0, old) } ?? false
        let now = Date().timeIntervalSince1970
        let (content, size) = contents[element.path] ?? ("", 0)
        return Entry(
            identifier: isSame ? before?.identifier ?? number : "e\(number)", parent: "", name: "",
            isFolder: element.isFolder, content: element.isFolder ? nil : content, size: size, version: "v\(number)",
            created: before?.created ?? now, modified: now)
    }

    private func isKeptElsewhere(_ entry: Entry, _ old: [String: Entry]) -> Bool {
        elements.contains { $0.version != nil && old[$0.source ?? $0.path]?.identifier == entry.identifier }
    }

    private static func paths(below identifier: String, _ state: TreeState) -> [String: Entry] {
        var found: [String: Entry] = [:]
        var rest = [(identifier, "")]
        while let (next, path) = rest.popLast() {
            for entry in (try? state.list(next)) ?? [] {
                found[path + entry.name] = entry
                if entry.isFolder { rest.append((entry.identifier, path + entry.name + "/")) }
            }
        }
        return found
    }
}
