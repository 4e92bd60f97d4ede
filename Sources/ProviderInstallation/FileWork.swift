import CommandConsole
package import Documents
import FoundationEssentials
package import Glibc

/// Plain files as `docent provider init`, `install` and `uninstall` need them; every change is on the disk when a call returns.
package enum FileWork {
    /// Whether a path is a directory, links followed.
    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path is a regular file, links followed.
    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether its owner may run a file.
    package static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IXUSR != 0
    }

    /// The absolute path without links; nil when nothing is there, or its name is not UTF-8.
    package static func canonical(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// The path without its last component; of `/` and of what has no slash, `/`.
    package static func parent(_ path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The path of this program, without links.
    package static func ownProgram() -> String? { canonical("/proc/self/exe") }

    /// All of a file, 16 MiB at most.
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

    /// Makes a file that is not there yet.
    package static func create(_ path: String, _ content: [UInt8], isExecutable: Bool = false) throws {
        let target = try LocalFile.create(Array(path.utf8))
        defer { close(target) }
        do {
            try ContentPump.write(content, to: target)
            var status = stat()
            guard fsync(target) == 0, fstat(target, &status) == 0 else {
                throw failure("\(path) cannot be written", errno)
            }
            // Whoever may read it may run it.
            if isExecutable, fchmod(target, status.st_mode | (status.st_mode & 0o444) >> 2) != 0 {
                throw failure("\(path) cannot be made a program", errno)
            }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Replaces a file as a whole, or makes it.
    static func replace(_ path: String, with content: [UInt8]) throws {
        let temporary = path + ".new"
        unlink(temporary)
        try create(temporary, content)
        try move(temporary, to: path)
    }

    /// Copies a regular file to a place where nothing is.
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

    /// Gives a file another place, replacing what is there.
    package static func move(_ source: String, to target: String) throws(DocumentsError) {
        guard rename(source, target) == 0 else { throw failure("\(target) cannot be put in its place", errno) }
        syncDirectory(parent(target))
    }

    /// Removes a file; that it is gone already is no error.
    package static func remove(_ path: String) throws(DocumentsError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("\(path) cannot be removed", errno) }
        syncDirectory(parent(path))
    }

    /// Makes a directory and those above it.
    package static func makeDirectories(_ path: String, mode: mode_t) throws(DocumentsError) {
        if isDirectory(path) { return }
        let above = parent(path)
        if above != path { try makeDirectories(above, mode: mode) }
        guard mkdir(path, mode) == 0 || errno == EEXIST && isDirectory(path) else {
            throw failure("The directory \(path) cannot be made", errno)
        }
    }

    /// Removes a directory with all that is in it, as far as that is possible.
    static func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// An error of the C library as the program tells it.
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
