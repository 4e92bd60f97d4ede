package import Records
import Synchronization

/// Notifies a handler when the content of a document has changed remotely. Thread-safe.
package final class RemoteNews: Sendable {
    private let handler = Mutex<@Sendable (RemoteItem) -> Void>({ _ in })

    package init() {}

    /// Sets the handler that updates local copies.
    package func follow(_ handler: @escaping @Sendable (RemoteItem) -> Void) { self.handler.withLock { $0 = handler } }

    /// Reports that the local copy of a document is out of date.
    package func becameStale(_ item: RemoteItem) {
        let handler = handler.withLock { $0 }
        handler(item)
    }
}
