/// Where a ``MetadataQuery`` searches. A confined program always searches only what it was granted, and what is in
/// folders that it was granted.
public enum MetadataQueryScope: Sendable, Hashable {
    /// Everything that this program may find.
    case accessible
    /// What is in a folder.
    case folder(DocumentReference)
    /// Only what a client was granted, and what is in it. For programs that are not confined.
    case granted(client: String)
}
