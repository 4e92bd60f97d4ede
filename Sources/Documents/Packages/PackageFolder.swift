import CLinux
import FoundationEssentials
import Glibc

/// A package as a local directory. It is read element by element, or created beside its destination and published as a
/// whole. Blocks. Links inside it are never followed.
final class PackageFolder: Sendable {
    /// A file or directory in the package.
    struct Entry: Sendable {
        let path: String
        let isFolder: Bool
        /// The size in bytes; 0 for a directory.
        let size: Int
    }

    private let path: String
    // The hidden directory where it is created; nil when reading, and after publishing.
    private let staging: String?
    private let root: ElementContent.HeldFile

    /// Opens an existing directory for reading.
    init(reading path: String) throws(DocumentsError) {
        self.path = path
        staging = nil
        root = ElementContent.HeldFile(try Self.openFolder(path))
    }

    /// Starts a new directory; nothing may exist at its path.
    init(new path: String) throws(DocumentsError) {
        let target = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        var status = stat()
        guard lstat(target, &status) != 0 else { throw Self.exists(target) }
        let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        let hidden = String(target[..<slash]) + ".docent-import-\(OperationIdentifier.make())"
        guard mkdir(hidden, 0o777) == 0 else { throw Self.failure("\(target) cannot be created", errno) }
        self.path = target
        staging = hidden
        root = ElementContent.HeldFile(try Self.openFolder(hidden))
    }

    deinit {
        if let staging { try? FileManager.default.removeItem(atPath: staging) }
    }

    // MARK: Reading

    /// All files and directories in it, each directory before its contents.
    ///
    /// - Throws: ``DocumentsError`` `notSupported` for links and other things that packages cannot contain.
    func entries() throws(DocumentsError) -> [Entry] {
        var found: [Entry] = []
        var rest = [""]
        while let folder = rest.popLast() {
            let descriptor = try folder.isEmpty ? Self.duplicate(root.descriptor) : open(folder, isFolder: true)
            guard let stream = fdopendir(descriptor) else {
                close(descriptor)
                throw Self.failure("\(path)/\(folder) cannot be listed", errno)
            }
            defer { closedir(stream) }
            rewinddir(stream)
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
                }
                guard let name else {
                    throw DocumentsError(.notSupported, "A name in \(path)/\(folder) is not UTF-8.")
                }
                if name == "." || name == ".." { continue }
                let place = folder.isEmpty ? name : folder + "/" + name
                var status = stat()
                guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                    throw Self.failure("\(path)/\(place) cannot be read", errno)
                }
                switch status.st_mode & S_IFMT {
                case S_IFDIR:
                    found.append(Entry(path: place, isFolder: true, size: 0))
                    rest.append(place)
                case S_IFREG: found.append(Entry(path: place, isFolder: false, size: Int(status.st_size)))
                default:
                    throw DocumentsError(
                        .notSupported, "\(path)/\(place) is neither a file nor a directory.",
                        suggestion: "Packages consist of files and directories; replace a link by its target.")
                }
            }
        }
        return found
    }

    /// Opens a file in it for reading; the caller owns the descriptor.
    func open(_ place: String) throws(DocumentsError) -> CInt { try open(place, isFolder: false) }

    private func open(_ place: String, isFolder: Bool) throws(DocumentsError) -> CInt {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (isFolder ? O_DIRECTORY : 0)
        let descriptor = clinux_openat_beneath(root.descriptor, place, flags, 0)
        guard descriptor >= 0 else { throw Self.failure("\(path)/\(place) cannot be opened", -descriptor) }
        return descriptor
    }

    // MARK: Creating

    /// Creates a folder in it.
    func makeFolder(_ place: String) throws(DocumentsError) {
        guard mkdirat(root.descriptor, place, 0o777) == 0 else {
            throw Self.failure("\(path)/\(place) cannot be created", errno)
        }
    }

    /// Copies a file into it.
    func write(_ source: CInt, at place: String) throws(DocumentsError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let target = clinux_openat_beneath(root.descriptor, place, flags, 0o666)
        guard target >= 0 else { throw Self.failure("\(path)/\(place) cannot be created", -target) }
        let file = ElementContent.HeldFile(target)
        try DescriptorCopy.copy(from: source, to: file.descriptor)
        guard fsync(file.descriptor) == 0 else { throw Self.failure("\(path)/\(place) cannot be written", errno) }
    }

    /// Renames it to its destination. It is complete and durable when this returns.
    ///
    /// - Throws: ``DocumentsError`` `conflict` when something already exists there.
    func publish() throws(DocumentsError) {
        guard let staging else { return }
        for entry in try entries() where entry.isFolder {
            try Self.sync(try open(entry.path, isFolder: true), "\(path)/\(entry.path)")
        }
        guard fsync(root.descriptor) == 0 else { throw Self.failure("\(path) cannot be written", errno) }
        let result = clinux_renameat2(AT_FDCWD, staging, AT_FDCWD, path, CLINUX_RENAME_NOREPLACE)
        if result == -EEXIST || result == -ENOTEMPTY { throw Self.exists(path) }
        guard result >= 0 else { throw Self.failure("\(path) cannot be created", -result) }
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try Self.sync(try Self.openFolder(parent), parent)
    }

    private static func sync(_ descriptor: CInt, _ place: String) throws(DocumentsError) {
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("\(place) cannot be written", errno) }
    }

    private static func openFolder(_ path: String) throws(DocumentsError) -> CInt {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("\(path) cannot be opened", errno) }
        return descriptor
    }

    private static func duplicate(_ descriptor: CInt) throws(DocumentsError) -> CInt {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw failure("There are no descriptors left", errno) }
        return copy
    }

    private static func exists(_ path: String) -> DocumentsError {
        DocumentsError(
            .conflict, "\(path) already exists.", suggestion: "Choose another name, or move it away first.")
    }

    private static func failure(_ what: String, _ code: CInt) -> DocumentsError {
        let kind: DocumentsError.Code =
            switch code {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM, EROFS: .notPermitted
            case ENOSPC, EDQUOT: .noSpace
            default: .failed
            }
        return DocumentsError(kind, "\(what): \(String(cString: strerror(code))).")
    }
}
