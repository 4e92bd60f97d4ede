import FileProvider
import Glibc

/// The names in a folder that are never items: files that are being replaced, and the trash.
enum UnlistedName {
    /// The trash of this user at the top of a file system or of a shared folder.
    static let trash = LocalName(".Trash-\(getuid())")

    static func isOne(_ name: LocalName) -> Bool { LocalFileReplacement.isTemporary(name) || name == trash }
}
