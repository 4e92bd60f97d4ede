import Glibc

/// Reads the bytes of one manifest file, which must be a regular file.
enum ManifestFile {
    /// The file's bytes, or why it is refused. Links, pipes and devices are never read; at most one byte more than the
    /// limit is read.
    static func read(_ path: String) -> Result<[UInt8], ManifestReadFailure> {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            if code == ELOOP { return .failure(refusal("a symbolic link", "a regular file")) }
            if code == ENXIO || code == ENODEV { return .failure(refusal("a socket or device", "a regular file")) }
            return .failure(refusal("a file that cannot be opened (\(reason(code)))", "a readable file"))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(refusal(FileFacts(status).kind.rawValue, "a regular file"))
        }
        let limit = PropertyListReader.maximumSize
        guard status.st_size <= limit else {
            return .failure(refusal("\(status.st_size) bytes", "at most \(limit) bytes"))
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                return .failure(refusal("a file that cannot be read (\(reason(errno)))", "a readable file"))
            }
            if count == 0 { return .success(bytes) }
            bytes += buffer[..<count]
        }
        return .failure(refusal("more than \(limit) bytes", "at most \(limit) bytes"))
    }

    /// Why a file was refused.
    struct ManifestReadFailure: Error {
        let problem: ManifestProblem
    }

    private static func refusal(_ found: String, _ expected: String) -> ManifestReadFailure {
        ManifestReadFailure(
            problem: .error(
                "", found: found, expected: expected, remedy: "Replace it by an ordinary manifest file.",
                message: "The manifest is not read: it is \(found), but must be \(expected)."))
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case EACCES: "no permission"
        case ENOENT: "no such file"
        default: "error \(code)"
        }
    }
}
