import Documents
import Glibc

/// A file that holds a password or a token. Only the daemon reads it; here only its attributes are checked.
enum SecretFile {
    /// Checks that a file can be used.
    ///
    /// - Parameter path: absolute.
    /// - Returns: the path.
    /// - Throws: ``DocumentsError`` with a suggestion: `notFound`, `invalidArgument` if it is not a regular file, or
    ///   `notPermitted` if others own it or can access it.
    static func check(_ path: String) throws(DocumentsError) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            throw DocumentsError(
                code == ENOENT || code == ENOTDIR ? .notFound : .notPermitted,
                "\(path) cannot be used: \(String(cString: strerror(code))).",
                suggestion: "Write the secret into it, and run `chmod 600 \(quoted(path))`.")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DocumentsError(
                .invalidArgument, "\(path) is not a regular file.",
                suggestion: "To give a secret without a file, use --session with --password-stdin.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw DocumentsError(
                .notPermitted, "Other users may read or change \(path).",
                suggestion: "Run `chmod 600 \(quoted(path))`, and change the secret if somebody may have seen it.")
        }
        guard status.st_uid == geteuid() else {
            throw DocumentsError(
                .notPermitted, "\(path) belongs to another user.",
                suggestion: "Use a file of your own, with mode 0600.")
        }
        return path
    }

    /// A path, quoted for a shell.
    static func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+@:,".utf8.contains(byte)
        }
        return plain
            ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
