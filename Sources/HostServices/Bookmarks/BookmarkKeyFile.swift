import Glibc
import Rights
package import Storage

/// The key of the bookmarks in a file that the user alone may read. Blocks.
package struct BookmarkKeyFile: Sendable {
    /// Where it is.
    package let path: String

    private let folder: String

    package init(layout: StorageLayout) {
        folder = layout.dataDirectory.text
        path = folder + "/bookmark.key"
    }

    /// The key.
    ///
    /// - Returns: nil when there is none, or what is there is no key.
    /// - Throws: ``FileSystemError`` when that cannot be told.
    package func read() throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT || errno == ELOOP { return nil }
            throw Self.failure("read", path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Self.failure("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return nil }
        // A backup may have been put back for everybody to read.
        if status.st_mode & 0o077 != 0 { _ = fchmod(file, 0o600) }
        var bytes = [UInt8](repeating: 0, count: BookmarkSeal.keyLength + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Self.failure("read", path) }
        return count == BookmarkSeal.keyLength ? Array(bytes.prefix(count)) : nil
    }

    /// Writes a key, durable when this returns. What is there and is no key is put aside.
    ///
    /// - Throws: ``FileSystemError``; then there is no new key.
    package func create(_ key: [UInt8]) throws {
        let temporary = "\(path).\(getpid())"
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("write", temporary) }
        defer { unlink(temporary) }
        let isWritten = write(file, key, key.count) == key.count && fsync(file) == 0
        let failure = isWritten ? nil : Self.failure("write", temporary)
        close(file)
        if let failure { throw failure }
        // A link replaces nothing.
        if link(temporary, path) != 0 {
            guard errno == EEXIST, rename(path, path + ".unusable") == 0, link(temporary, path) == 0 else {
                throw Self.failure("write", path)
            }
        }
        try syncDirectory()
    }

    /// Removes the file, because the key lies elsewhere now.
    ///
    /// - Throws: ``FileSystemError``.
    package func remove() throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("remove", path) }
        try syncDirectory()
    }

    private func syncDirectory() throws {
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Self.failure("open", folder) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Self.failure("write", folder) }
    }

    private static func failure(_ what: String, _ path: String) -> FileSystemError {
        FileSystemError(errno: errno, what, path: path)
    }
}
