import Synchronization

/// What a document presents; asked from any thread (2.4).
final class PresentedPlace: Sendable {
    private let place: Mutex<DocumentPlace?>

    init(_ place: DocumentPlace?) { self.place = Mutex(place) }

    var value: DocumentPlace? {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }
}
