/// An element of a package as it shall be: a file or a folder at a path inside it (M4, N3).
public struct PackageElement: Hashable, Sendable {
    /// Its path inside the package, the names separated by `/`.
    public var path: String
    /// Whether it is a folder.
    public var isFolder: Bool
    /// The size of new content in bytes; nil for folders and unchanged elements.
    public var size: Int?
    /// The SHA-256 of new content in hexadecimal; nil for folders and unchanged elements.
    public var digest: String?
    /// The version at which it is there already, unchanged; nil for folders and new content.
    public var version: ItemVersion?
    /// Where it is there already, if that is another path than ``path``; only with a ``version``.
    public var source: String?

    /// An element from its parts.
    public init(
        path: String, isFolder: Bool, size: Int? = nil, digest: String? = nil, version: ItemVersion? = nil,
        source: String? = nil
    ) {
        self.path = path
        self.isFolder = isFolder
        self.size = size
        self.digest = digest
        self.version = version
        self.source = source
    }
}
