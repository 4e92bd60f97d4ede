package import Documents
import Glibc

/// An open file on this machine, closed with the value.
package struct LocalFile: ~Copyable {
    /// The descriptor, open for reading.
    package let descriptor: CInt

    deinit { close(descriptor) }

    /// Opens a regular file for reading.
    ///
    /// - Throws: ``DocumentsError`` `notFound`, `notPermitted`, or `invalidArgument` if it is not a regular file.
    package init(reading path: String) throws(DocumentsError) {
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw Self.failure("\(path) cannot be opened", errno) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw DocumentsError(.invalidArgument, "\(path) is not a regular file.")
        }
        descriptor = opened
    }

    /// Keeps standard input in a nameless file, which is positioned at its start.
    ///
    /// - Throws: ``DocumentsError`` as ``ContentPump`` does.
    package init(staging input: CInt, activity: Activity?) throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        var template = Array("\(folder)/docent-XXXXXX".utf8CString)
        let made = mkstemp(&template)
        guard made >= 0 else { throw Self.failure("A temporary file cannot be created in \(folder)", errno) }
        defer { close(made) }
        // Reopened for reading only: the daemon does not trust a descriptor that can write.
        let opened = open("/proc/self/fd/\(made)", O_RDONLY | O_CLOEXEC)
        let code = errno
        unlink(template)
        guard opened >= 0 else { throw Self.failure("The temporary file cannot be read", code) }
        do {
            try ContentPump.copy(from: input, to: made, activity: activity)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
    }

    /// Creates a new file, never replacing one.
    ///
    /// - Throws: ``DocumentsError`` `conflict` if something is there.
    package static func create(_ path: [UInt8]) throws(DocumentsError) -> CInt {
        let target = path.withTerminator { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        let code = errno
        guard target >= 0 else {
            let shown = SafeText.escaped(String(decoding: path, as: UTF8.self))
            if code == EEXIST {
                throw DocumentsError(
                    .conflict, "\(shown) already exists.",
                    suggestion: "Choose another name with -o, or move it away first.")
            }
            throw failure("\(shown) cannot be created", code)
        }
        return target
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

extension [UInt8] {
    /// Calls a body with the bytes as a path for the C library.
    package func withTerminator<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        body(map { CChar(bitPattern: $0) } + [0])
    }
}
