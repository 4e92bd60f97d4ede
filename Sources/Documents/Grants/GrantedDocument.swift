package import DocentInterfaces

/// A right that was granted to this client, to a document or to a folder with everything in it.
public struct GrantedDocument: Sendable {
    /// The document or folder, ready for use.
    public let document: SecurityScopedDocument
    /// The name, if the daemon knows it without asking the provider.
    public let name: String?
    /// Whether it is a folder or a package. A right to a folder covers everything in it, for as long as it is there.
    public let isFolder: Bool
    /// Whether the right was taken to last; otherwise it ends shortly after the client does.
    public let isPersistent: Bool
    /// Whether the client may take the right, with ``SecurityScopedDocument/takePersistentAccess()``.
    public let isPersistable: Bool
    /// How the right was given: `open`, `move` or another value.
    public let origin: String
    /// When the right was first given, in seconds since 1970.
    public let created: Double
    /// When the right expires, in seconds since 1970; nil if it does not.
    public let expires: Double?
    /// Patterns for files beside the document that the right also covers, like `{stem}.srt`.
    public let companions: [String]

    /// The reference of the document or folder.
    public var reference: DocumentReference { document.reference }
    /// What the right allows.
    public var access: AccessMode { document.access }

    package init(_ wire: Wire.GrantedItem, client: DocumentsClient) {
        document = client.document(
            DocumentReference(wire.reference), access: AccessMode(rawValue: wire.access) ?? .read)
        name = wire.name
        isFolder = wire.isFolder == true
        isPersistent = wire.isPersistent
        isPersistable = wire.isPersistable
        origin = wire.origin
        created = wire.created
        expires = wire.expires
        companions = wire.companions ?? []
    }
}
