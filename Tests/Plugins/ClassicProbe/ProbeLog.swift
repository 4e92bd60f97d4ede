import Glibc

/// The lines that tests read: a callback and the name of its document.
struct ProbeLog: Sendable {
    let container: String

    func note(_ callback: String, _ name: String) {
        let file = open("\(container)/callbacks.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let line = Array("\(callback) \(name)\n".utf8)
        _ = write(file, line, line.count)
    }
}
