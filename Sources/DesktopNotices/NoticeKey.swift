package import DocentInterfaces

/// The subject of a notification. There is at most one about each of these.
package enum NoticeKey: Sendable, Hashable {
    /// The conflicts of one document.
    case conflict(Wire.ItemReference)
    /// Many conflicts at once.
    case manyConflicts
    /// A program whose changes are held.
    case program(kind: String, client: String)
    /// A folder whose listing is held.
    case listing(Wire.ItemReference)
}
