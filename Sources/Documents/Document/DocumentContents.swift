public import FoundationEssentials

/// A document's contents as they are stored.
public enum DocumentContents: Sendable {
    /// The bytes of a file.
    case data(Data)
    /// The folder of a package.
    case fileWrapper(FileWrapper)

    /// The bytes of a file; nil for a package.
    public var data: Data? {
        switch self {
        case .data(let data): data
        case .fileWrapper: nil
        }
    }

    /// The folder of a package; nil for a file.
    public var fileWrapper: FileWrapper? {
        switch self {
        case .data: nil
        case .fileWrapper(let wrapper): wrapper
        }
    }
}
