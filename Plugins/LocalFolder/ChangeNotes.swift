import FileProvider
import Glibc

/// Reports what the watcher saw to the host, and keeps a document's identifier when another program saves it by
/// replacing the file with a new one.
struct ChangeNotes: Sendable {
    /// In seconds.
    private static let longestSave: Int64 = 60

    let tree: FolderTree
    let news: PacedNews
    let observer: ItemObserver

    /// Reports changes to the host. A removed file is reported as changed: only a search shows that it is really gone.
    func tell(_ news: FolderWatcher.News) {
        switch news {
        case .overflow: self.news.resync()
        case .events(let events):
            var changed: Set<ItemIdentifier> = []
            for event in events { changed.formUnion(note(event)) }
            self.news.changed(changed)
        }
    }

    private func note(_ event: FolderWatcher.Event) -> Set<ItemIdentifier> {
        guard let root = try? tree.root() else { return [] }
        let folder = identifier(event.folder, root)
        guard let name = event.name else { return [folder] }
        guard !UnlistedName.isOne(name) else { return [] }
        let place = PlaceIndex.Place(folder: event.folder, name: name)
        if event.mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 {
            guard let old = tree.index.vacate(place) else { return [folder] }
            let item = identifier(old, root)
            // Presenters are informed a moment later, when it is clear whether this was a save, a move or a deletion.
            return observer.follows(item) ? [folder] : [folder, item]
        }
        guard let directory = try? tree.directory(event.folder), let facts = try? directory.facts(of: name),
            facts.kind != .other
        else { return [folder] }
        let identity = LocalFileIdentity(facts, rootDevice: root.device)
        // A program that saves creates its new file only a moment before.
        let isNew = !tree.index.contains(identity) || facts.birth / 1_000_000_000 > Int64(time(nil)) - Self.longestSave
        // Before the index has the new file: whoever finds it there takes its identifier as it is.
        if let before = tree.index.occupant(of: place), before != identity, isNew, facts.kind == .file,
            event.mask & UInt32(IN_MOVED_TO) != 0
        {
            keepIdentifier(of: before, for: identity)
        }
        tree.index.record(identity, at: place)
        let item = identifier(identity, root)
        let isListed = event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
        return isListed ? [folder, item] : [item]
    }

    /// A new file was moved onto a known one, which the watched rename proves: the identifier follows.
    private func keepIdentifier(of old: LocalFileIdentity, for new: LocalFileIdentity) {
        guard new.birth >= old.birth else { return }
        _ = try? tree.log.pass(tree.log.identifier(of: old), to: new, durably: false)
    }

    private func identifier(_ identity: LocalFileIdentity, _ root: FolderTree.Root) -> ItemIdentifier {
        identity == root.identity ? .rootContainer : ItemIdentifier(tree.log.identifier(of: identity))
    }
}
