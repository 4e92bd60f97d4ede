import FileProvider
import Synchronization

/// Where the files lie that were seen in this process. It may be wrong at any time: whoever uses it looks again. Safe
/// to use from any thread.
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

    /// The file lies there now.
    ///
    /// - Returns: The other file that lay there before, if one did.
    @discardableResult
    func record(_ identity: LocalFileIdentity, at place: Place) -> LocalFileIdentity? {
        state.withLock { state in
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

    /// Nothing lies there any more. The file keeps its last place as a hint.
    func vacate(_ place: Place) -> LocalFileIdentity? {
        state.withLock { $0.identities.removeValue(forKey: place) }
    }

    /// The file is gone for good: not even a hint is left of where it lay.
    func forget(_ identity: LocalFileIdentity, at place: Place) {
        state.withLock { state in
            state.places[identity] = nil
            if state.identities[place] == identity { state.identities[place] = nil }
        }
    }

    func contains(_ identity: LocalFileIdentity) -> Bool { state.withLock { $0.places[identity] != nil } }

    /// The names from the root to a file, as far as known.
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
