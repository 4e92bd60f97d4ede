/// The change of one element within a package change, for providers that take the elements one by one (N3).
package struct PackagePart: Hashable, Sendable {
    /// The name of its file in `Uploads`, unique; the same part of the same operation always has the same name.
    package var id: String
    /// The element's identifier, if it exists already.
    package var item: String?
    /// The identifier of its folder.
    package var parent: String
    /// Its name.
    package var name: String
    /// The version that the change is based on.
    package var baseVersion: String?
    /// The digest of the content.
    package var digest: String
    /// The size of the content in bytes.
    package var size: Int64

    /// Creates a part.
    package init(
        id: String, item: String?, parent: String, name: String, baseVersion: String?, digest: String, size: Int64
    ) {
        self.id = id
        self.item = item
        self.parent = parent
        self.name = name
        self.baseVersion = baseVersion
        self.digest = digest
        self.size = size
    }
}
