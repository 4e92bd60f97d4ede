import Synchronization

/// The events that wait for the picker. Thread-safe.
final class PickerMailbox: Sendable {
    private let waiting = Mutex<[PickerEvent]>([])
    private let wake: AsyncStream<Void>.Continuation
    /// An element for new events; several may share one.
    let arrivals: AsyncStream<Void>

    init() {
        (arrivals, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func post(_ event: PickerEvent) {
        waiting.withLock { $0.append(event) }
        wake.yield()
    }

    /// All events so far: what happens while a frame is drawn is drawn with the next one.
    func take() -> [PickerEvent] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    func finish() { wake.finish() }
}
