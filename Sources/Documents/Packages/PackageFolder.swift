import CLinux
import FoundationEssentials
import Glibc

/// A package as a directory of this machine: read element by element, or made beside its place and published as a whole. Blocks.
/// Links are never followed below it.
final class PackageFolder: Sendable {
    /// A file or directory in it.
    struct Entry: Sendable {
        let path: String
        let isFolder: Bool
        /// Bytes of a file; 0 of a directory.
        let size: Int
    }

    private let path: String
    // Where it is made; nil for one that is read, and once it is published.
    private let staging: String?
    private let root: ElementContent.HeldFile

    /// Opens a directory for reading.
    init(reading path: String) throws(DocumentsError) {
        self.path = path
        staging = nil
        root = ElementContent.HeldFile(try Self.openFolder(path))
    }

    /// Begins a directory that is to be at a path where nothing is.
    init(new path: String) throws(DocumentsError) {
        let target = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        var status = stat()
        guard lstat(target, &status) != 0 else { throw Self.exists(target) }
        let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        let hidden = String(target[..<slash]) + ".docent-import-\(OperationIdentifier.make())"
        guard mkdir(hidden, 0o777) == 0 else { throw Self.failure("\(target) cannot be made", errno) }
        self.path = target
        staging = hidden
        root = ElementContent.HeldFile(try Self.openFolder(hidden))
    }

    deinit {
        if let staging { try? FileManager.default.removeItem(atPath: staging) }
    }

    // MARK: Reading

    /// All that is in it, folders before what is in them.
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
                        suggestion: "Packages consist of files and directories; replace a link by what it leads to.")
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

    // MARK: Making

    /// Makes a folder in it.
    func makeFolder(_ place: String) throws(DocumentsError) {
        guard mkdirat(root.descriptor, place, 0o777) == 0 else {
            throw Self.failure("\(path)/\(place) cannot be made", errno)
        }
    }

    /// Copies a file into it.
    func write(_ source: CInt, at place: String) throws(DocumentsError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let target = clinux_openat_beneath(root.descriptor, place, flags, 0o666)
        guard target >= 0 else { throw Self.failure("\(path)/\(place) cannot be made", -target) }
        let file = ElementContent.HeldFile(target)
        try DescriptorCopy.copy(from: source, to: file.descriptor)
        guard fsync(file.descriptor) == 0 else { throw Self.failure("\(path)/\(place) cannot be written", errno) }
    }

    /// Gives it its name; whole and durable when this returns.
    ///
    /// - Throws: ``DocumentsError`` `conflict` when something is there.
    func publish() throws(DocumentsError) {
        guard let staging else { return }
        for entry in try entries() where entry.isFolder {
            try Self.sync(try open(entry.path, isFolder: true), "\(path)/\(entry.path)")
        }
        guard fsync(root.descriptor) == 0 else { throw Self.failure("\(path) cannot be written", errno) }
        let result = clinux_renameat2(AT_FDCWD, staging, AT_FDCWD, path, CLINUX_RENAME_NOREPLACE)
        if result == -EEXIST || result == -ENOTEMPTY { throw Self.exists(path) }
        guard result >= 0 else { throw Self.failure("\(path) cannot be made", -result) }
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
        guard copy >= 0 else { throw failure("There is no descriptor left", errno) }
        return copy
    }

    private static func exists(_ path: String) -> DocumentsError {
        DocumentsError(
            .conflict, "\(path) exists already.", suggestion: "Choose another name, or move it away first.")
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
