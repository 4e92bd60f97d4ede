import CLinux
import Documents
import FileSystemMessages
import Glibc

/// Documents that leave their names for those of local files (``Departures``).
extension ViewServer {
    /// Lets a document leave its name for that of a local file.
    func depart(_ move: Move, _ item: ViewItem, _ location: DocumentLocation) async throws -> KernelReply {
        guard let identity = tree.identity(of: move.folder) else { return .error(EPERM) }
        let content = try await openContent(of: move.node)
        try store.prepare(identity)
        let copy = try store.open(move.newName, in: identity, CLINUX_O_RDWR | CLINUX_O_CREAT | CLINUX_O_TRUNC)
        do {
            defer { _ = clinux_close(copy) }
            try SharedCopy.copy(from: content.descriptor, to: copy)
        }
        guard let local = store.file(move.newName, in: identity) else { return .error(EIO) }
        tree.setHidden(true, item.identifier, in: move.folder)
        // Before anything else: the next server of the mount must know which of the two is the document.
        add(
            Departures.Departure(
                folder: move.folder, name: move.name, item: item, location: location, localName: move.newName,
                copy: local))
        documents.forget(move.node)
        adopt(move, local)
        return .done
    }

    func add(_ departure: Departures.Departure) {
        departures.add(departure) { [self] departure in await arrive(departure) }
    }

    /// Goes on with the departures that an earlier server of the mount had noted.
    func restoreDepartures(_ descriptor: CInt) {
        for departure in Departures.read(NodeJournal(owning: descriptor), locations: { tree.location(of: $0) }) {
            tree.setHidden(true, departure.item.identifier, in: departure.folder)
            add(departure)
        }
    }

    /// Renames a document whose place nothing has taken.
    private func arrive(_ departure: Departures.Departure) async {
        await turns.run([departure.folder]) { await arriveInTurn(departure) }
        try? await loads.load(departure.folder)
    }

    private func arriveInTurn(_ departure: Departures.Departure) async {
        // Something may have taken the place meanwhile, or the copy may have another name.
        guard departures.end(departure) else { return }
        let copy = localNode(departure.localName, in: departure.folder)
        // Whoever writes to the copy goes on with it.
        if let copy, drafts.draft(of: copy) != nil { return add(departure) }
        tree.beginChange(in: [departure.folder])
        do {
            let moved = try await takeName(departure)
            tree.setHidden(false, departure.item.identifier, in: departure.folder)
            if let copy {
                documents.forget(copy)
                tree.adopt(copy, moved, in: departure.folder, as: departure.localName)
            }
            if let identity = tree.identity(of: departure.folder) { store.remove(departure.localName, from: identity) }
        } catch {
            ViewLog.write("\(departure.location) could not be renamed to \(departure.localName): \(error)")
            tree.setHidden(false, departure.item.identifier, in: departure.folder)
        }
        tree.endChange(in: [departure.folder])
    }

    /// Gives a document the name of its copy, and what a program has written to the copy meanwhile.
    ///
    /// - Parameters:
    ///   - name: its new name, if it is not that of the copy.
    ///   - folder: its new folder; nil for the same.
    private func takeName(
        _ departure: Departures.Departure, as name: String? = nil, in folder: DocumentLocation? = nil
    ) async throws -> ViewItem {
        let name = name ?? departure.localName
        let moved: ViewItem
        do throws(DocumentsError) {
            moved = try await source.move(departure.location, to: folder, named: name)
        } catch {
            // An earlier server of the mount may have done it, and was killed before it had noted that.
            guard error.code == .notFound,
                let place = folder ?? tree.location(of: departure.folder)
            else { throw error }
            let path = (place.path == "/" ? "" : place.path) + "/" + name
            moved = try await source.item(
                at: DocumentLocation(provider: place.provider, domain: place.domain, path: path))
        }
        attached.moved(departure.item.identifier, to: moved.identifier, in: departure.folder)
        guard let identity = tree.identity(of: departure.folder),
            let copy = store.file(departure.localName, in: identity), copy != departure.copy,
            let reference = tree.reference(to: moved.identifier, in: departure.folder)
        else { return moved }
        let file = try store.open(departure.localName, in: identity, CLINUX_O_RDONLY)
        defer { _ = clinux_close(file) }
        let draft = try await source.edit(reference, isEmptied: true, base: nil, for: nil)
        do {
            let descriptor = try draft.descriptor()
            defer { _ = clinux_close(descriptor) }
            try SharedCopy.copy(from: file, to: descriptor)
        } catch {
            await draft.abandon()
            throw error
        }
        return try await draft.commit(modified: copy.modified.interval)
    }

    private func localNode(_ name: String, in folder: UInt64) -> UInt64? {
        guard case .found(let found) = tree.lookUp(name, in: folder) else { return nil }
        tree.forgetLookUp(found.node)
        return tree.isLocal(found.node) ? found.node : nil
    }

    /// Gives the document of a copy the name that the copy gets.
    func giveName(_ move: Move, to departure: Departures.Departure) async throws -> KernelReply {
        let target = move.folder == move.newFolder ? nil : tree.location(of: move.newFolder)
        let moved = try await takeName(departure, as: move.newName, in: target)
        _ = departures.take(departure.name, in: move.folder)
        tree.setHidden(false, departure.item.identifier, in: move.folder)
        documents.forget(move.node)
        adopt(move, moved)
        if let identity = tree.identity(of: move.folder) { store.remove(move.name, from: identity) }
        return .done
    }
}
