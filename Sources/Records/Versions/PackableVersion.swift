import GRDB

/// A version that may be packed, or is packed already.
package struct PackableVersion: Hashable, Sendable {
    /// Its name.
    package let id: String
    /// The size of its content, in bytes.
    package let size: Int64
    /// The bytes that it takes by itself; nil if it has not been examined.
    package let stored: Int64?
    /// The folder of its file.
    package let folder: String
    /// The file in it.
    package let file: String
    /// The operation that it comes from, if any.
    package let operation: String?

    init(row: Row) {
        id = row["id"]
        size = row["size"]
        stored = row["stored"]
        folder = row["folder"]
        file = row["file"]
        operation = row["operation"]
    }
}
