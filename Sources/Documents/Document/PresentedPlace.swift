import Synchronization

/// The place that a document presents; read from any thread.
final class PresentedPlace: Sendable {
    private let place: Mutex<DocumentPlace?>

    init(_ place: DocumentPlace?) { self.place = Mutex(place) }

    var value: DocumentPlace? {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }
}
