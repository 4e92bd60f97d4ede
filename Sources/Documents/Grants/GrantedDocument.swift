package import DocentInterfaces

/// A right that this client has been granted (G7), to a document or to a folder with what is in it.
public struct GrantedDocument: Sendable {
    /// The document or folder, to be used.
    public let document: SecurityScopedDocument
    /// Its name, as far as the daemon knows it without asking its provider.
    public let name: String?
    /// Whether it is a folder or a package; a right to a folder covers all that lies in it, as long as it lies there.
    public let isFolder: Bool
    /// Whether the right was taken to last; else it ends a moment after the client has gone.
    public let isPersistent: Bool
    /// Whether the client may take it: ``SecurityScopedDocument/takePersistentAccess()``.
    public let isPersistable: Bool
    /// How the right came about: `open`, `move`, or another word.
    public let origin: String
    /// When it was first given, in seconds since 1970.
    public let created: Double
    /// When it ends by itself, in seconds since 1970; nil is never.
    public let expires: Double?
    /// Patterns of names beside the document that the right covers too, like `{stem}.srt`.
    public let companions: [String]

    /// Its reference.
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
