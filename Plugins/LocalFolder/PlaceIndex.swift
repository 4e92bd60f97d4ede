import FileProvider
import Synchronization

/// The places of the files seen in this process. It may be outdated at any time, so its users check again. Safe to use
/// from any thread.
final class PlaceIndex: Sendable {
    /// A name in a folder.
    struct Place: Hashable, Sendable {
        var folder: LocalFileIdentity
        var name: LocalName
    }

    private struct State {
        var places: [LocalFileIdentity: Place] = [:]
        var identities: [Place: LocalFileIdentity] = [:]
    }

    private static let maximumPlaces = 200_000
    private static let maximumDepth = 256

    private let state = Mutex(State())

    /// Records that the file is there now.
    ///
    /// - Returns: The file that was there before, if another one was.
    @discardableResult
    func record(_ identity: LocalFileIdentity, at place: Place) -> LocalFileIdentity? {
        state.withLock { state in
            // Most files are where they were.
            if state.places[identity] == place, state.identities[place] == identity { return nil }
            if state.places.count > Self.maximumPlaces { state = State() }
            if let old = state.places.updateValue(place, forKey: identity), old != place,
                state.identities[old] == identity
            {
                state.identities[old] = nil
            }
            let before = state.identities.updateValue(identity, forKey: place)
            return before == identity ? nil : before
        }
    }

    /// Records that nothing is there any more. The file keeps its last place as a hint.
    func vacate(_ place: Place) -> LocalFileIdentity? {
        state.withLock { $0.identities.removeValue(forKey: place) }
    }

    /// Forgets a file that is gone for good, including the hint of its last place.
    func forget(_ identity: LocalFileIdentity, at place: Place) {
        state.withLock { state in
            state.places[identity] = nil
            if state.identities[place] == identity { state.identities[place] = nil }
        }
    }

    /// The file that was seen at a place last, unless it has left it.
    func occupant(of place: Place) -> LocalFileIdentity? { state.withLock { $0.identities[place] } }

    func contains(_ identity: LocalFileIdentity) -> Bool { state.withLock { $0.places[identity] != nil } }

    /// The names from the root to a file, as far as they are known.
    func path(of identity: LocalFileIdentity, root: LocalFileIdentity) -> [LocalName]? {
        state.withLock { state in
            var names: [LocalName] = []
            var current = identity
            while current != root {
                guard let place = state.places[current], names.count < Self.maximumDepth else { return nil }
                names.append(place.name)
                current = place.folder
            }
            return names.reversed()
        }
    }
}
