package import Rights

/// What a client wants to begin.
package struct OperationRequest: Hashable, Sendable {
    /// The client's own name for it, by which it may ask again and repeat without harm.
    package var operation: String
    /// Whose it is.
    package var principal: Principal
    /// What is asked for.
    package var kind: JournaledOperation.Kind
    /// The provider that receives it.
    package var provider: String
    /// The account within the provider; empty for the default one.
    package var domain: String
    /// The document's identifier, when it exists already.
    package var item: String?
    /// The identifier of the parent folder, for creations.
    package var parent: String?
    /// The name of the document: what a creation makes; for people where it is written.
    package var name: String?
    /// The version that the change is based on.
    package var baseVersion: String?
    /// What the client says of the source of a move.
    package var source: String?
    /// The uniform type identifier of what is created, where its name does not say what it is.
    package var contentType: String?

    /// Asks for writing an existing document.
    package init(
        write item: ItemKey, operation: String, principal: Principal, baseVersion: String?, name: String? = nil
    ) {
        self.name = name
        self.operation = operation
        self.principal = principal
        self.kind = .write
        self.provider = item.provider
        self.domain = item.domain
        self.item = item.identifier
        self.baseVersion = baseVersion
    }

    /// Asks for a new document in a folder; with a source it is a move.
    package init(
        create name: String, in parent: ItemKey, operation: String, principal: Principal, source: String? = nil,
        contentType: String? = nil
    ) {
        self.operation = operation
        self.principal = principal
        self.kind = source == nil ? .create : .move
        self.provider = parent.provider
        self.domain = parent.domain
        self.parent = parent.identifier
        self.name = name
        self.source = source
        self.contentType = contentType
    }
}
