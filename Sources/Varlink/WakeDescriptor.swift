import CVarlinkSocket

/// An eventfd with which any thread wakes a thread that polls.
final class WakeDescriptor: Sendable {
    private let descriptor: OwnedDescriptor

    init() throws(VarlinkError) {
        descriptor = try OwnedDescriptor(checking: cvarlink_event_create(), "create an eventfd")
    }

    /// The descriptor to poll for reading.
    var raw: CInt { descriptor.raw }

    /// Makes the descriptor readable.
    func signal() {
        cvarlink_event_signal(descriptor.raw)
    }

    /// Makes the descriptor unreadable again.
    func clear() {
        cvarlink_event_clear(descriptor.raw)
    }
}
