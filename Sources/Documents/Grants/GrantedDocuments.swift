import DocentInterfaces
import Varlink

/// What a client has been granted, oldest first, fetched by the page. It has rights that are given while it is read, too.
public struct GrantedDocuments: AsyncSequence, Sendable {
    /// A right.
    public typealias Element = GrantedDocument
    /// What goes wrong.
    public typealias Failure = DocumentsError

    let client: DocumentsClient

    /// Steps through the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: DocumentsClient
        private var page: [Wire.GrantedItem].Iterator = [].makeIterator()
        private var token: String?
        private var started = false

        init(client: DocumentsClient) { self.client = client }

        /// The next right, nil after the last.
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

        /// The next right, nil after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(DocumentsError) -> GrantedDocument? {
            try await next()
        }
    }

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client) }
}

extension DocumentsClient {
    /// What this client has been granted, in this session and in earlier ones. Confined clients may ask too.
    public func grantedDocuments() -> GrantedDocuments { GrantedDocuments(client: self) }
}
