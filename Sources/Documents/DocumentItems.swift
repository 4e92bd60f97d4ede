import DocentInterfaces
import Varlink

/// The items of a folder, fetched page by page. The next page is requested while the current one is read.
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
        /// Whether an item of the current page was returned.
        private var isWithinPage = false
        private var nextPage: PageRequest?

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
                    // Whoever looks at the first item only needs no second page.
                    if isWithinPage, nextPage == nil, let token {
                        nextPage = PageRequest(client: client, folder: folder, token: token)
                    }
                    isWithinPage = true
                    return DocumentItem(item, path: folder.path + (folder.path.hasSuffix("/") ? "" : "/") + item.name)
                }
                if started, token == nil { return nil }
                let request = nextPage ?? PageRequest(client: client, folder: folder, token: token)
                // After an error the page is requested again.
                nextPage = nil
                let reply = try await request.reply
                if !started {
                    remembered = reply.remembered.map(RememberedListing.init)
                }
                started = true
                token = reply.nextPage
                page = reply.items.makeIterator()
                isWithinPage = false
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

/// A page on its way; cancelled when nobody wants it any more.
private final class PageRequest: Sendable {
    typealias Reply = PickerInterface.ListFolder.Reply

    private let task: Task<Result<Reply, DocumentsError>, Never>

    init(client: DocumentsClient, folder: DocumentLocation, token: String?) {
        task = Task { () -> Result<Reply, DocumentsError> in
            do throws(DocumentsError) {
                return .success(
                    try await client.call(
                        PickerInterface.ListFolder.self, .init(location: folder.wire, page: token)
                    ).value)
            } catch { return .failure(error) }
        }
    }

    deinit { task.cancel() }

    /// Waits for the page. Cancelling the waiting task cancels the call.
    var reply: Reply {
        get async throws(DocumentsError) {
            try await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }.get()
        }
    }
}
