import Glibc

/// Reports mistakes of the author on the extension's standard error, which the daemon keeps.
enum Diagnostics {
    static func write(_ message: String) {
        let line = Array("docent: \(message)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
