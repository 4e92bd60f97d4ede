import DocentInterfaces
import Varlink

/// The rights that were granted to a client, oldest first, fetched page by page. Rights that are granted during the
/// iteration are included.
public struct GrantedDocuments: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = GrantedDocument
    /// The type of the errors.
    public typealias Failure = DocumentsError

    let client: DocumentsClient

    /// Iterates over the rights, fetching pages as needed.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: DocumentsClient
        private var page: [Wire.GrantedItem].Iterator = [].makeIterator()
        private var token: String?
        private var started = false

        init(client: DocumentsClient) { self.client = client }

        /// The next right; nil after the last.
        public mutating func next() async throws(DocumentsError) -> GrantedDocument? {
            while true {
                if let item = page.next() { return GrantedDocument(item, client: client) }
                if started, token == nil { return nil }
                let reply = try await client.call(DocumentsInterface.Granted.self, .init(page: token)).value
                started = true
                token = reply.nextPage
                page = reply.items.makeIterator()
            }
        }

        /// The next right; nil after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(DocumentsError) -> GrantedDocument? {
            try await next()
        }
    }

    /// An iterator that starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client) }
}

extension DocumentsClient {
    /// The rights that were granted to this client, in this session and earlier ones. Also available to confined
    /// clients.
    public func grantedDocuments() -> GrantedDocuments { GrantedDocuments(client: self) }
}
