/// An element of a package after a change: a file or a folder at a path inside it.
public struct PackageElement: Hashable, Sendable {
    /// Its path inside the package; names are separated by `/`.
    public var path: String
    /// Whether it is a folder.
    public var isFolder: Bool
    /// The size of new content in bytes; nil for folders and unchanged elements.
    public var size: Int?
    /// The SHA-256 of new content in hexadecimal; nil for folders and unchanged elements.
    public var digest: String?
    /// The version of an existing, unchanged element; nil for folders and new content.
    public var version: ItemVersion?
    /// The former path of an unchanged element, if it differs from ``path``; only with a ``version``.
    public var source: String?

    /// Creates an element.
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
