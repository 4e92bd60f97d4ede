import Glibc
import Rights
package import Storage

/// The bookmark key in a file that only the user can read. Blocks.
package struct BookmarkKeyFile: Sendable {
    /// The path of the file.
    package let path: String

    private let folder: String

    package init(layout: StorageLayout) {
        folder = layout.dataDirectory.text
        path = folder + "/bookmark.key"
    }

    /// Reads the key.
    ///
    /// - Returns: nil if there is no file or it contains no key.
    /// - Throws: ``FileSystemError`` if that cannot be determined.
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
        // The file may have been restored from a backup with wider permissions.
        if status.st_mode & 0o077 != 0 { _ = fchmod(file, 0o600) }
        var bytes = [UInt8](repeating: 0, count: BookmarkSeal.keyLength + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Self.failure("read", path) }
        return count == BookmarkSeal.keyLength ? Array(bytes.prefix(count)) : nil
    }

    /// Writes a key; durable when it returns. A file that contains no key is renamed.
    ///
    /// - Throws: ``FileSystemError``; there is no new key then.
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
        // `link` never replaces a file.
        if link(temporary, path) != 0 {
            guard errno == EEXIST, rename(path, path + ".unusable") == 0, link(temporary, path) == 0 else {
                throw Self.failure("write", path)
            }
        }
        try syncDirectory()
    }

    /// Removes the file after the key was moved elsewhere.
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
