import Glibc

/// Reads and replaces files that contain secrets or keys.
enum PrivateFile {
    struct Problem: Error {
        /// A part of a sentence, with the path but without the content.
        let why: String
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The content of a regular file; nil when it does not exist.
    ///
    /// - Parameters:
    ///   - limit: the largest size in bytes.
    ///   - isOwn: whether the file must belong to the user and be inaccessible to all others. False for the service
    ///     manager's files.
    static func read(_ path: String, limit: Int, isOwn: Bool) throws(Problem) -> Secret? {
        // A FIFO must not block. The checks apply to the opened file.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Problem(why: "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Problem(why: "\(path) is not a regular file")
        }
        if isOwn {
            guard status.st_uid == geteuid() else { throw Problem(why: "\(path) belongs to another user") }
            guard status.st_mode & 0o077 == 0 else {
                throw Problem(why: "others may read or change \(path) (use chmod 600)")
            }
        }
        guard status.st_size <= limit else { throw Problem(why: "\(path) is too large") }
        let content = WipingBuffer(capacity: Int(status.st_size) + 1)
        while content.count <= limit {
            var (count, code) = (0, Int32(0))
            content.append(atMost: 65_536) { room in
                count = Glibc.read(file, room.baseAddress, room.count)
                code = errno
                return count
            }
            if count < 0, code == EINTR { continue }
            guard count >= 0 else { throw Problem(why: "\(path) cannot be read: \(String(cString: strerror(code)))") }
            guard count > 0 else { return Secret(copying: content.bytes) }
        }
        throw Problem(why: "\(path) is too large")
    }

    /// Atomically and durably replaces the content of a file, with mode 0600.
    ///
    /// - Parameter replacing: whether an existing file is replaced.
    /// - Returns: false when a file existed that was not to be replaced.
    @discardableResult
    static func write(_ content: Secret, to path: String, replacing: Bool) throws(Problem) -> Bool {
        func problem() -> Problem { Problem(why: "\(path) cannot be written: \(String(cString: strerror(errno)))") }
        // A fixed name, so that a file left by an earlier process is overwritten. The writer holds the lock.
        let temporary = path + ".new"
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw problem() }
        defer {
            close(file)
            unlink(temporary)
        }
        var position = 0
        while position < content.count {
            let count = content.withBytes {
                Glibc.write(file, $0.baseAddress?.advanced(by: position), $0.count - position)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw problem() }
            position += count
        }
        guard fsync(file) == 0 else { throw problem() }
        if replacing {
            guard rename(temporary, path) == 0 else { throw problem() }
        } else {
            guard link(temporary, path) == 0 else {
                if errno == EEXIST { return false }
                throw problem()
            }
        }
        try synchronizeFolder(of: path)
        return true
    }

    /// Makes the names in a file's folder durable.
    static func synchronizeFolder(of path: String) throws(Problem) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let directory = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Problem(why: "\(folder) cannot be opened") }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Problem(why: "\(folder) cannot be written to the disk") }
    }
}
