import Glibc

/// What an author does wrong, on the extension's standard error: the daemon keeps it.
enum Diagnostics {
    static func write(_ message: String) {
        let line = Array("docent: \(message)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
