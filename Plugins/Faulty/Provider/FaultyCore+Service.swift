import FileProvider
import FoundationEssentials
import Synchronization

extension FaultyCore {
    /// Takes over changes by others and checks that the service is reachable, before a call.
    ///
    /// - Parameter method: One of ``Fault/methods``.
    func heedService(before method: String) throws {
        try takeForeignChanges()
        if transfers.load(ordering: .relaxed) == 0 { service.forgetCut() }
        guard service.isUnreachable else { return }
        if ["item", "child", "children", "fetch", "range", "open"].contains(method),
            script.strikes("unreachable.noSuchItem")
        {
            throw FileProviderError(.noSuchItem, "There is no such item.")
        }
        throw SimulatedService.unreachable
    }

    /// Applies the changes by others, and reports them to the host if a client observes.
    func takeForeignChanges() throws {
        for deed in try service.takeDeeds() {
            let touched: (changed: [String], deleted: [String])
            switch deed {
            case .write(let path, let content): touched = try write(path, content)
            case .delete(let path): touched = try delete(path)
            }
            if watch.withLock({ !$0.items.isEmpty }) { signal(changed: touched.changed, deleted: touched.deleted) }
        }
    }

    private func write(_ path: [String], _ content: [UInt8]) throws -> ([String], [String]) {
        var parent = TreeState.root
        for name in path.dropLast() { parent = try folder(name, in: parent) }
        guard let name = path.last else { return ([], []) }
        let (number, folder) = (tree.number(), parent)
        try tree.files.store(content, as: "c\(number)")
        let former: Entry? = try tree.read { $0.child(name, of: folder) }
        let now = Date().timeIntervalSince1970
        var entry =
            former
            ?? Entry(
                identifier: "i\(number)", parent: folder, name: name, isFolder: false, version: "", created: now,
                modified: now)
        (entry.content, entry.size, entry.version, entry.modified) = ("c\(number)", content.count, "v\(number)", now)
        let made = entry
        foreign.withLock { if $0[made.identifier] == nil { $0[made.identifier] = .some(former) } }
        try tree.commit { _ in (TreeChange(entries: [made]), ()) }
        return ([made.identifier, folder], [])
    }

    private func folder(_ name: String, in parent: String) throws -> String {
        if let there = try tree.read({ $0.child(name, of: parent) }) { return there.identifier }
        let number = tree.number()
        let now = Date().timeIntervalSince1970
        let made = Entry(
            identifier: "i\(number)", parent: parent, name: name, isFolder: true, version: "v\(number)", created: now,
            modified: now)
        foreign.withLock { $0[made.identifier] = .some(nil) }
        try tree.commit { _ in (TreeChange(entries: [made]), ()) }
        return made.identifier
    }

    private func delete(_ path: [String]) throws -> ([String], [String]) {
        let gone: [Entry] = try tree.commit { state in
            var parent = TreeState.root
            for name in path.dropLast() { parent = state.child(name, of: parent)?.identifier ?? "" }
            let gone = path.last.flatMap { state.child($0, of: parent) }.map { state.subtree($0.identifier) } ?? []
            return (TreeChange(removed: gone.map(\.identifier)), gone)
        }
        foreign.withLock { foreign in
            for entry in gone where foreign[entry.identifier] == nil { foreign[entry.identifier] = .some(entry) }
        }
        bury(gone)
        return (gone.first.map { [$0.parent] } ?? [], gone.map(\.identifier))
    }

    /// Whether others changed an item, and its former entry; nil in it if it did not exist.
    func former(of identifier: String) -> Entry?? { foreign.withLock { $0[identifier] } }

    /// A listing without the changes by others.
    func withoutForeign(_ entries: [Entry], of folder: String) -> [Entry] {
        let foreign = foreign.withLock { $0 }
        let shown = entries.compactMap { entry -> Entry? in
            if let former = foreign[entry.identifier] { return former }
            return entry
        }
        let known = Set(entries.map(\.identifier))
        let gone = foreign.values.compactMap { $0 }.filter { $0.parent == folder && !known.contains($0.identifier) }
        return (shown + gone).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    // MARK: Watching

    /// Checks frequently for changes by others, as long as a client observes.
    func startWatching(_ identifier: String) {
        watch.withLock { watch in
            watch.items.insert(identifier)
            guard watch.task == nil else { return }
            watch.task = Task { [weak self] in
                while true {
                    do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
                    guard let self else { return }
                    do { try takeForeignChanges() } catch { host.log("A change of the service was lost: \(error)") }
                }
            }
        }
    }

    /// Stops checking.
    func stopWatching(_ identifier: String) {
        watch.withLock { watch in
            watch.items.remove(identifier)
            guard watch.items.isEmpty else { return }
            watch.task?.cancel()
            watch.task = nil
        }
    }
}
