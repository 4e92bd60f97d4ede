import CVarlinkSocket

/// An eventfd by which any thread wakes one that polls.
final class WakeDescriptor: Sendable {
    private let descriptor: OwnedDescriptor

    init() throws(VarlinkError) {
        descriptor = try OwnedDescriptor(checking: cvarlink_event_create(), "make an eventfd")
    }

    /// The number to poll for reading.
    var raw: CInt { descriptor.raw }

    /// Makes it readable.
    func signal() {
        cvarlink_event_signal(descriptor.raw)
    }

    /// Makes it unreadable again.
    func clear() {
        cvarlink_event_clear(descriptor.raw)
    }
}
