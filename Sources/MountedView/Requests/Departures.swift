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
        let localName: String
    }

    private struct Place: Hashable {
        var folder: UInt64
        var name: EntryName
    }

    private let departures = Mutex<[Place: (Departure, Task<Void, Never>)]>([:])
    /// How long a name stays empty before the document is really renamed.
    private let patience: Duration = .seconds(5)

    /// Records a departure.
    ///
    /// - Parameter end: called if nothing takes the place in time.
    func add(_ departure: Departure, end: @escaping @Sendable (Departure) async -> Void) {
        let place = Place(folder: departure.folder, name: EntryName(departure.name))
        let task = Task.detached { [self] in
            try? await Task.sleep(for: patience)
            guard !Task.isCancelled, departures.withLock({ $0.removeValue(forKey: place) }) != nil else { return }
            await end(departure)
        }
        departures.withLock { $0[place] = (departure, task) }
    }

    /// Ends a departure: something takes the place of the document.
    func take(_ name: String, in folder: UInt64) -> Departure? {
        guard
            let (departure, task) = departures.withLock({
                $0.removeValue(forKey: Place(folder: folder, name: EntryName(name)))
            })
        else { return nil }
        task.cancel()
        return departure
    }

    /// The departure that a local file belongs to.
    func departure(to localName: String, in folder: UInt64) -> Departure? {
        departures.withLock { departures in
            departures.values.first {
                $0.0.folder == folder && EntryName($0.0.localName) == EntryName(localName)
            }?.0
        }
    }
}
