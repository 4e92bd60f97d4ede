import FileProvider
import Glibc

/// The lines that tests read: an event, and the name of its item.
struct ProbeLog: Sendable {
    let container: String

    /// The log of a domain, in the container of the provider's group.
    init(_ documentStorage: String) {
        // <group container>/File Provider Storage/<domain>
        container = documentStorage.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
    }

    func note(_ what: String, _ name: String) {
        let file = open("\(container)/callbacks.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let line = Array("\(what) \(name)\n".utf8)
        _ = write(file, line, line.count)
    }

    /// The same for the outcome of a claim.
    func note(_ what: String, _ name: String, failed error: any Error) {
        let code = (error as? FileProviderError).map { $0.code == .deadlock ? "deadlock" : "\($0.code.rawValue)" }
        note("\(what)-\(code ?? "\(type(of: error))")", name)
    }
}
