import CLinux
import Glibc

/// An open directory: everything in it is reached through its descriptor, never by a path that others could redirect.
package final class Directory: Sendable {
    /// Its path when it was opened, for messages.
    package let path: String
    private let handle: OpenDescriptor

    /// The directory's descriptor; valid while this object is alive.
    package var descriptor: Int32 { handle.number }

    private init(path: String, handle: OpenDescriptor) {
        self.path = path
        self.handle = handle
    }

    /// Opens a directory of Docent's own. Links on the way are followed: only the user can have made them.
    package convenience init(path: OwnPath) throws {
        let fd = clinux_open(path.text, CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0)
        self.init(path: path.text, handle: OpenDescriptor(owning: try checked(fd, "open the folder", path: path.text)))
    }

    /// Creates the directory and its missing ancestors, private to the user (0700), and opens it.
    ///
    /// - Throws: `.denied` when it exists but belongs to another user, and when root would create it among another
    ///   user's folders.
    package static func make(path: OwnPath) throws -> Directory {
        try FolderOwner.requireOwn(path)
        var built = ""
        for component in path.text.split(separator: "/", omittingEmptySubsequences: true) {
            built += "/" + component
            let outcome = clinux_mkdirat(CLINUX_AT_FDCWD, built, 0o700)
            // Ancestors may be unwritable or read-only. Opening the last one shows whether they exist.
            guard outcome == 0 || [-EEXIST, -EACCES, -EROFS, -EPERM].contains(outcome) else {
                throw FileSystemError(errno: -outcome, "create the folder", path: built)
            }
        }
        let directory = try Directory(path: path)
        let status = try directory.status()
        guard status.owner == geteuid() else {
            throw FileSystemError(
                .denied, FolderOwner.sentence(path.text, owner: status.owner), remedy: FolderOwner.remedy(),
                path: path.text)
        }
        if status.mode & 0o077 != 0 {
            try checked(
                clinux_fchmod(directory.descriptor, 0o700), "set the permissions of the folder", path: path.text)
        }
        return directory
    }

    /// The `statx` result for the directory itself.
    package func status() throws -> FileStatus {
        try FileStatus(of: descriptor)
    }

    /// The `statx` result for a name in the directory, without following links; nil when the name does not exist.
    package func status(of name: FileName) throws -> FileStatus? {
        var raw = clinux_stat()
        let outcome = name.withCString { clinux_stat_at(descriptor, $0, &raw) }
        if outcome == -ENOENT { return nil }
        try checked(outcome, "examine", path: shown(name))
        return FileStatus(raw)
    }

    /// Opens a subdirectory; a link is refused.
    package func directory(_ name: FileName) throws -> Directory {
        let fd = name.withCString { clinux_openat_inside(descriptor, $0, CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0) }
        return Directory(
            path: shown(name), handle: OpenDescriptor(owning: try checked(fd, "open the folder", path: shown(name))))
    }

    /// Opens a subdirectory, and creates it (0700, durably) if missing.
    package func makeDirectory(_ name: FileName) throws -> Directory {
        let outcome = name.withCString { clinux_mkdirat(descriptor, $0, 0o700) }
        if outcome == 0 {
            try sync()
        } else if outcome != -EEXIST {
            try checked(outcome, "create the folder", path: shown(name))
        }
        return try directory(name)
    }

    /// Opens a file for reading. Links are refused, and a FIFO does not block.
    package func open(_ name: FileName) throws -> OpenDescriptor {
        try open(name, flags: CLINUX_O_RDONLY | CLINUX_O_NONBLOCK)
    }

    /// Opens an existing file for reading and writing. Links are refused.
    func openForWriting(_ name: FileName) throws -> OpenDescriptor {
        try open(name, flags: CLINUX_O_RDWR | CLINUX_O_NONBLOCK)
    }

    /// Creates a file, open for reading and writing. The name must not exist.
    package func create(_ name: FileName, mode: UInt32 = 0o600) throws -> OpenDescriptor {
        try open(name, flags: CLINUX_O_RDWR | CLINUX_O_CREAT | CLINUX_O_EXCL, mode: mode)
    }

    private func open(_ name: FileName, flags: Int32, mode: UInt32 = 0) throws -> OpenDescriptor {
        let fd = name.withCString { clinux_openat_inside(descriptor, $0, flags, mode) }
        return OpenDescriptor(owning: try checked(fd, "open", path: shown(name)))
    }

    /// Removes a file's name. A missing name is no error.
    package func remove(_ name: FileName) throws {
        let outcome = name.withCString { clinux_unlinkat(descriptor, $0, 0) }
        if outcome != -ENOENT { try checked(outcome, "remove", path: shown(name)) }
    }

    /// Removes an empty directory. Returns false when it is not empty; a missing one counts as removed.
    @discardableResult
    package func removeEmptyDirectory(_ name: FileName) throws -> Bool {
        let outcome = name.withCString { clinux_unlinkat(descriptor, $0, CLINUX_AT_REMOVEDIR) }
        if outcome == -ENOTEMPTY || outcome == -EEXIST { return false }
        if outcome != -ENOENT { try checked(outcome, "remove the folder", path: shown(name)) }
        return true
    }

    /// Gives a file a second name; returns false when that name exists.
    func link(_ name: FileName, to target: Directory, as other: FileName) throws -> Bool {
        let outcome = name.withCString { from in
            other.withCString { clinux_linkat(descriptor, from, target.descriptor, $0) }
        }
        if outcome == -EEXIST { return false }
        try checked(outcome, "link", path: target.shown(other))
        return true
    }

    /// Renames with the flags of `renameat2`; returns its result, including a negative errno.
    func rename(_ name: FileName, to target: Directory, as other: FileName, flags: UInt32) -> Int32 {
        name.withCString { from in
            other.withCString { clinux_renameat2(descriptor, from, target.descriptor, $0, flags) }
        }
    }

    /// Makes the names in the directory durable. An error is final: changes since the last successful call may be lost.
    package func sync() throws {
        try checked(clinux_fsync(descriptor), "sync the folder", path: path)
    }

    /// The names in the directory, unordered, without `.` and `..`.
    package func names() throws -> [FileName] {
        let fresh = try checked(
            clinux_openat(descriptor, ".", CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0), "list", path: path)
        let listing = OpenDescriptor(owning: fresh)
        var found: [FileName] = []
        let size = 32 * 1024
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        guard let start = buffer.baseAddress else { return [] }
        while true {
            let filled = try checked(clinux_getdents(listing.number, start, size), "list", path: path)
            if filled == 0 { return found }
            var offset = 0
            while offset < filled {
                var name: UnsafePointer<CChar>? = nil
                var type: UInt8 = 0
                offset = clinux_directory_record(start, offset, &name, &type)
                guard let name else { continue }
                let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
                if let legal = FileName(bytes: bytes) { found.append(legal) }
            }
        }
    }

    /// Empties the directory. Works at any depth with two descriptors: nested folders are first moved up.
    package func removeContents() throws {
        var counter = 0
        while true {
            let names = try self.names()
            if names.isEmpty { return }
            for name in names {
                guard try status(of: name)?.kind == .directory else {
                    try remove(name)
                    continue
                }
                let child = try directory(name)
                for inner in try child.names() {
                    guard try child.status(of: inner)?.kind == .directory else {
                        try child.remove(inner)
                        continue
                    }
                    repeat {
                        counter += 1
                        let fresh = FileName(unchecked: Array(".remove-\(counter)".utf8))
                        let outcome = child.rename(inner, to: self, as: fresh, flags: CLINUX_RENAME_NOREPLACE)
                        if outcome == -EEXIST { continue }
                        try checked(outcome, "remove", path: child.shown(inner))
                        break
                    } while true
                }
                try removeEmptyDirectory(name)
            }
        }
    }

    /// The path of a name in this directory, for messages.
    package func shown(_ name: FileName) -> String {
        "\(path)/\(name)"
    }
}
