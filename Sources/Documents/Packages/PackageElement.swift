package import DocentInterfaces

/// One file or folder inside a package (M4).
public struct PackageElement: Sendable, Hashable {
    /// Its place inside the package: names, separated by slashes.
    public let path: String
    /// Whether it is a folder.
    public let isFolder: Bool
    /// Bytes, where known; nil for folders.
    public let size: Int?
    /// Changes whenever its content does; nil where the provider does not tell.
    public let version: String?
    /// Its own name for later calls, where it has one.
    public let reference: DocumentReference?

    package init(
        path: String, isFolder: Bool, size: Int? = nil, version: String? = nil, reference: DocumentReference? = nil
    ) {
        self.path = path
        self.isFolder = isFolder
        self.size = size
        self.version = version
        self.reference = reference
    }

    package init(_ wire: Wire.PackageElement) {
        self.init(
            path: wire.path, isFolder: wire.isFolder, size: wire.size, version: wire.version,
            reference: wire.reference.map(DocumentReference.init))
    }
}
