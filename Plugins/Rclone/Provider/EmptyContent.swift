import FileProvider
import Glibc

/// Content without bytes.
enum EmptyContent {
    /// - Parameter folder: Where the file is made. It is unlinked at once.
    static func reader(in folder: String) throws -> ContentReader {
        try PrivateFolder.make(folder)
        let path = folder + "/.nothing"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw PrivateFolder.failure() }
        unlink(path)
        return try ContentReader(owning: file, size: 0)
    }
}
