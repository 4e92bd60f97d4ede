package import Rights

/// A client's request to begin an operation.
package struct OperationRequest: Hashable, Sendable {
    /// The client's own name for the operation, for asking about it and for repeating it safely.
    package var operation: String
    /// The client.
    package var principal: Principal
    /// The kind of request.
    package var kind: JournaledOperation.Kind
    /// The provider that receives it.
    package var provider: String
    /// The account within the provider; empty for the default one.
    package var domain: String
    /// The document's identifier, if it exists already.
    package var item: String?
    /// The identifier of the parent folder, for creations.
    package var parent: String?
    /// The document's name: the name to create; for a write, only for display.
    package var name: String?
    /// The version that the change is based on.
    package var baseVersion: String?
    /// The client's description of the source of a move.
    package var source: String?
    /// The uniform type identifier of the created document, when its name does not show the type.
    package var contentType: String?

    /// A request to write an existing document.
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

    /// A request for a new document in a folder; with a source it is a move.
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
