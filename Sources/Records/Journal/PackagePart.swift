/// The change of one element that a change of a package consists of, where its provider takes elements one by one (N3).
package struct PackagePart: Hashable, Sendable {
    /// The name for files in `Uploads`, unique; the same for the same part of the same operation.
    package var id: String
    /// The element's identifier, when it exists already.
    package var item: String?
    /// The identifier of the folder that it lies in.
    package var parent: String
    /// Its name.
    package var name: String
    /// The version that the change is based on.
    package var baseVersion: String?
    /// The digest of the content.
    package var digest: String
    /// Its size in bytes.
    package var size: Int64

    /// Makes a part.
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
