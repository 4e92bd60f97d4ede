public import FoundationEssentials

/// What a document holds, as it is stored (M4).
public enum DocumentContents: Sendable {
    /// The bytes of a file.
    case data(Data)
    /// The folder of a package.
    case fileWrapper(FileWrapper)

    /// The bytes, where it is a file; nil for a package.
    public var data: Data? {
        switch self {
        case .data(let data): data
        case .fileWrapper: nil
        }
    }

    /// The folder, where it is a package; nil for a file.
    public var fileWrapper: FileWrapper? {
        switch self {
        case .data: nil
        case .fileWrapper(let wrapper): wrapper
        }
    }
}
