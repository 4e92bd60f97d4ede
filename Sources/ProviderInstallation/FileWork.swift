import CommandConsole
package import Documents
import FoundationEssentials
package import Glibc

/// File operations for `docent provider init`, `install` and `uninstall`. The content of a file is synced before a call
/// returns, and so is the directory of a file that was moved or removed.
package enum FileWork {
    /// Whether a path is a directory; links are followed.
    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path is a regular file; links are followed.
    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether the owner of a file may execute it.
    package static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IXUSR != 0
    }

    /// The absolute path without links; nil if nothing is there, or if the path is not UTF-8.
    package static func canonical(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// The path without its last component; `/` for `/` and for a name without a slash.
    package static func parent(_ path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The path of this program, without links.
    package static func ownProgram() -> String? { canonical("/proc/self/exe") }

    /// The content of a file of at most 16 MiB.
    package static func read(_ path: String) throws(DocumentsError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("\(path) cannot be read", errno) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("\(path) cannot be read", errno) }
            if count == 0 { return content }
            content += buffer[..<count]
            guard content.count <= 16 << 20 else {
                throw DocumentsError(.invalidArgument, "\(path) is too large: it has more than 16 MiB.")
            }
        }
    }

    /// Creates a new file.
    package static func create(_ path: String, _ content: [UInt8], isExecutable: Bool = false) throws {
        let target = try LocalFile.create(Array(path.utf8))
        defer { close(target) }
        do {
            try ContentPump.write(content, to: target)
            var status = stat()
            guard fsync(target) == 0, fstat(target, &status) == 0 else {
                throw failure("\(path) cannot be written", errno)
            }
            // Everyone who may read the file may run it.
            if isExecutable, fchmod(target, status.st_mode | (status.st_mode & 0o444) >> 2) != 0 {
                throw failure("\(path) cannot be made executable", errno)
            }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Replaces a file as a whole, or creates it.
    static func replace(_ path: String, with content: [UInt8]) throws {
        let temporary = path + ".new"
        unlink(temporary)
        try create(temporary, content)
        try move(temporary, to: path)
    }

    /// Copies a regular file to a path where nothing is.
    package static func copy(_ source: String, to path: String, mode: mode_t) throws {
        let input = try LocalFile(reading: source)
        let target = try LocalFile.create(Array(path.utf8))
        defer { close(target) }
        do {
            try ContentPump.copy(from: input.descriptor, to: target, activity: nil)
            guard fchmod(target, mode) == 0, fsync(target) == 0 else {
                throw failure("\(path) cannot be written", errno)
            }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Moves a file, replacing what is there.
    package static func move(_ source: String, to target: String) throws(DocumentsError) {
        guard rename(source, target) == 0 else { throw failure("A file cannot be moved to \(target)", errno) }
        syncDirectory(parent(target))
    }

    /// Removes a file. A file that does not exist is not an error.
    package static func remove(_ path: String) throws(DocumentsError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("\(path) cannot be removed", errno) }
        syncDirectory(parent(path))
    }

    /// Creates a directory and its parents.
    package static func makeDirectories(_ path: String, mode: mode_t) throws(DocumentsError) {
        if isDirectory(path) { return }
        let above = parent(path)
        if above != path { try makeDirectories(above, mode: mode) }
        guard mkdir(path, mode) == 0 || errno == EEXIST && isDirectory(path) else {
            throw failure("The directory \(path) cannot be created", errno)
        }
    }

    /// Removes a directory and its contents, as far as possible.
    static func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// The ``DocumentsError`` for an error of the C library.
    package static func failure(_ what: String, _ code: CInt) -> DocumentsError {
        let kind: DocumentsError.Code =
            switch code {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM, EROFS: .notPermitted
            case ENOSPC, EDQUOT: .noSpace
            default: .failed
            }
        return DocumentsError(kind, "\(what): \(String(cString: strerror(code))).")
    }

    private static func syncDirectory(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
