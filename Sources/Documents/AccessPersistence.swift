/// How long a right lasts that a pick gives.
public enum AccessPersistence: Sendable, Hashable {
    /// Until it is revoked, in later sessions too.
    case taken
    /// Until a moment after the client's last session has ended, unless the client takes it meanwhile, as by making a bookmark.
    case transient
}
