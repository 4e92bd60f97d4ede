import FileProvider
import Glibc

/// Content of no bytes.
enum EmptyContent {
    /// - Parameter folder: where its file is made, which is gone again at once.
    static func reader(in folder: String) throws -> ContentReader {
        try PrivateFolder.make(folder)
        let path = folder + "/.nothing"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw PrivateFolder.failure() }
        unlink(path)
        return try ContentReader(owning: file, size: 0)
    }
}
