/// The access that was granted for an intent.
public enum CoordinatedAccess: Sendable {
    /// Read access.
    case reading(ReadingAccess)
    /// Write access.
    case writing(WritingAccess)

    /// The item; nil when it does not exist.
    public var item: DocumentItem? {
        switch self {
        case .reading(let access): access.item
        case .writing(let access): access.item
        }
    }
}
