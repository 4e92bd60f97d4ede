/// The access that an intent was granted (I2).
public enum CoordinatedAccess: Sendable {
    /// To read.
    case reading(ReadingAccess)
    /// To write.
    case writing(WritingAccess)

    /// The item; nil for one that is not there.
    public var item: DocumentItem? {
        switch self {
        case .reading(let access): access.item
        case .writing(let access): access.item
        }
    }
}
