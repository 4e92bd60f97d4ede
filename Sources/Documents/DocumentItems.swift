import DocentInterfaces
import Varlink

/// The items of a folder, fetched page by page.
public struct DocumentItems: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = DocumentItem
    /// The type of the errors.
    public typealias Failure = DocumentsError

    let client: DocumentsClient
    let folder: DocumentLocation

    /// Iterates over the items, fetching pages as needed.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let client: DocumentsClient
        let folder: DocumentLocation
        private var page: [Wire.Item].Iterator = [].makeIterator()
        private var token: String?
        private var started = false

        /// Set when the listing is an earlier one because the provider could not be asked; nil when the provider was
        /// asked, at most a moment ago. Valid after the first ``next()``, also for an empty folder.
        public private(set) var remembered: RememberedListing?

        init(client: DocumentsClient, folder: DocumentLocation) {
            self.client = client
            self.folder = folder
        }

        /// The next item; nil after the last.
        public mutating func next() async throws(DocumentsError) -> DocumentItem? {
            while true {
                if let item = page.next() {
                    return DocumentItem(item, path: folder.path + (folder.path.hasSuffix("/") ? "" : "/") + item.name)
                }
                if started, token == nil { return nil }
                let reply = try await client.call(
                    PickerInterface.ListFolder.self, .init(location: folder.wire, page: token)
                ).value
                if !started {
                    remembered = reply.remembered.map { RememberedListing(reason: $0.reason, since: $0.since) }
                }
                started = true
                token = reply.nextPage
                page = reply.items.makeIterator()
            }
        }

        /// The next item; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DocumentsError) -> DocumentItem?
        {
            try await next()
        }
    }

    /// An iterator that starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, folder: folder) }
}
