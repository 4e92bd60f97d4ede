package import Records
import Synchronization

/// What is to happen when the catalogue learns that the content of documents became another one remotely. Thread-safe.
package final class RemoteNews: Sendable {
    private let handler = Mutex<@Sendable (RemoteItem) -> Void>({ _ in })

    package init() {}

    /// Says who makes local copies current.
    package func follow(_ handler: @escaping @Sendable (RemoteItem) -> Void) { self.handler.withLock { $0 = handler } }

    /// The local copy of a document is behind.
    package func becameStale(_ item: RemoteItem) {
        let handler = handler.withLock { $0 }
        handler(item)
    }
}
