package import DocentInterfaces

/// A file or folder inside a package.
public struct PackageElement: Sendable, Hashable {
    /// The path inside the package: names separated by slashes.
    public let path: String
    /// Whether this is a folder.
    public let isFolder: Bool
    /// The size in bytes; nil for folders and when unknown.
    public let size: Int?
    /// Changes whenever the content does; nil when the provider does not report it.
    public let version: String?
    /// The reference to use in later calls, if it has one.
    public let reference: DocumentReference?
    /// The version that this content had before its upload was confirmed.
    package let formerVersion: String?
    /// In a ``FileVersion``: whether the content is not kept, because it was not on this machine.
    public let isMissing: Bool

    package init(
        path: String, isFolder: Bool, size: Int? = nil, version: String? = nil, reference: DocumentReference? = nil,
        formerVersion: String? = nil, isMissing: Bool = false
    ) {
        self.path = path
        self.isFolder = isFolder
        self.size = size
        self.version = version
        self.reference = reference
        self.formerVersion = formerVersion
        self.isMissing = isMissing
    }

    package init(_ wire: Wire.PackageElement) {
        self.init(
            path: wire.path, isFolder: wire.isFolder, size: wire.size, version: wire.version,
            reference: wire.reference.map(DocumentReference.init), isMissing: wire.isMissing ?? false)
    }
}
