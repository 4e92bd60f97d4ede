/// How long a right from a pick lasts.
public enum AccessPersistence: Sendable, Hashable {
    /// Until it is revoked, across sessions.
    case taken
    /// Until shortly after the client's last session has ended, unless the client takes the right meanwhile, for
    /// example by making a bookmark.
    case transient
}
