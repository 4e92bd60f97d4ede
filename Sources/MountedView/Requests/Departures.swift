import Documents
import Synchronization

/// Documents that were renamed to a name of a local file: an editor keeps the old content in this way, and writes the
/// new one under the old name in the next moment. Until then the provider is not told, so that it stays the same
/// document. Thread-safe.
final class Departures: Sendable {
    /// A document that has left its name.
    struct Departure: Sendable {
        /// The folder and the name that it has at its provider.
        let folder: UInt64
        let name: String
        let item: ViewItem
        let location: DocumentLocation
        /// The name of the local file that has its content now.
        var localName: String
        /// That file as it was made; nil when unknown.
        var copy: ViewItem?
    }

    private struct Place: Hashable {
        var folder: UInt64
        var name: EntryName
    }

    private struct State {
        var departures: [Place: (Departure, Task<Void, Never>)] = [:]
        /// What the next server of the mount gets.
        var journal: NodeJournal?
    }

    private let state = Mutex(State())
    private let kept: KeptState
    /// How long a name stays empty before the document is really renamed.
    private let patience: Duration

    init(kept: KeptState, patience: Duration) {
        self.kept = kept
        self.patience = patience
    }

    /// Records a departure.
    ///
    /// - Parameter end: called if nothing takes the place in time; it takes the departure itself.
    func add(_ departure: Departure, end: @escaping @Sendable (Departure) async -> Void) {
        let place = Place(folder: departure.folder, name: EntryName(departure.name))
        let task = Task.detached { [self] in
            try? await Task.sleep(for: patience)
            if !Task.isCancelled { await end(departure) }
        }
        state.withLock { state in
            state.departures[place] = (departure, task)
            record(&state)
        }
    }

    /// Ends a departure: something takes the place of the document.
    func take(_ name: String, in folder: UInt64) -> Departure? {
        guard let (departure, task) = remove(Place(folder: folder, name: EntryName(name))) else { return nil }
        task.cancel()
        return departure
    }

    /// Ends a departure whose time is over, on its own task.
    ///
    /// - Returns: whether it is still to be carried out.
    func end(_ departure: Departure) -> Bool {
        let place = Place(folder: departure.folder, name: EntryName(departure.name))
        return state.withLock { state in
            guard state.departures[place]?.0.localName == departure.localName else { return false }
            state.departures[place] = nil
            record(&state)
            return true
        }
    }

    private func remove(_ place: Place) -> (Departure, Task<Void, Never>)? {
        state.withLock { state in
            guard let removed = state.departures.removeValue(forKey: place) else { return nil }
            record(&state)
            return removed
        }
    }

    /// The departure of a document that has left a name.
    func departure(of name: String, in folder: UInt64) -> Departure? {
        state.withLock { $0.departures[Place(folder: folder, name: EntryName(name))]?.0 }
    }

    /// The departure that a local file belongs to.
    func departure(to localName: String, in folder: UInt64) -> Departure? {
        state.withLock { state in
            state.departures.values.first {
                $0.0.folder == folder && EntryName($0.0.localName) == EntryName(localName)
            }?.0
        }
    }

    // MARK: For the next server

    /// Has the departures kept by another keeper too.
    func keep() {
        state.withLock { state in
            if let journal = state.journal { kept.keep(.init(kind: .departures, key: 0), journal.descriptor) }
        }
    }

    // A journal of its own for each state: it is whole, whenever this process is killed.
    private func record(_ state: inout State) {
        guard let journal = NodeJournal() else { return }
        for (index, (departure, _)) in state.departures.values.enumerated() {
            journal.append(
                NodeRecord(
                    number: UInt64(index) * 2, parent: departure.folder,
                    // No name has a slash.
                    name: departure.name + "/" + departure.localName, inode: 0, subject: .item(departure.item)))
            guard let copy = departure.copy else { continue }
            journal.append(
                NodeRecord(
                    number: UInt64(index) * 2 + 1, parent: departure.folder, name: "", inode: 0, subject: .item(copy)))
        }
        state.journal = journal
        kept.keep(.init(kind: .departures, key: 0), journal.descriptor)
    }

    /// Reads the departures that an earlier server has recorded.
    ///
    /// - Parameter locations: the location of a folder; nil if there is no such folder any more.
    static func read(_ journal: NodeJournal, locations: (UInt64) -> DocumentLocation?) -> [Departure] {
        let records = journal.records()
        return records.filter { $0.number % 2 == 0 }.compactMap { record in
            let copy = records.first { $0.number == record.number + 1 }
            let names = record.name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard names.count == 2, case .item(let item)? = record.subject, let folder = locations(record.parent)
            else { return nil }
            let path = (folder.path == "/" ? "" : folder.path) + "/" + item.name
            return Departure(
                folder: record.parent, name: names[0], item: item,
                location: DocumentLocation(provider: folder.provider, domain: folder.domain, path: path),
                localName: names[1], copy: copy?.item)
        }
    }
}
