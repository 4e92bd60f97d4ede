import CommandConsole
import Dispatch
import FoundationEssentials
import Glibc

/// Detects a daemon that was stopped by a signal, for example by ^Z, or by a debugger. Its clients wait forever, so the
/// user is informed.
enum SuspendedDaemon {
    /// Checks at intervals while a command waits, and reports once.
    static func watch(_ environment: [String: String]) {
        // A socket that was given may belong to any daemon.
        guard environment["DOCENT_SOCKET"] ?? "" == "", let data = dataDirectory(environment) else { return }
        // Repeats until it has reported, or the process ends.
        look(data, after: 3)
    }

    private static func look(_ data: String, after seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            guard let process = holder(of: data + "/docent.lock"), isSuspended(process) else {
                return look(data, after: 3)
            }
            StandardError.write(
                "docent: The Docent daemon (process \(process)) is suspended and does not answer; "
                    + "`kill -CONT \(process)` resumes it.\n")
        }
    }

    /// The data directory of this environment's daemon.
    static func dataDirectory(_ environment: [String: String]) -> String? {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/docent" }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/share/docent" : nil }
    }

    /// The process that holds a daemon's lock, as it is recorded in the lock file.
    static func holder(of lock: String) -> pid_t? {
        guard let text = try? String(contentsOfFile: lock, encoding: .utf8) else { return nil }
        return text.split { !$0.isNumber }.first.flatMap { pid_t($0) }
    }

    /// Whether a process is stopped by a signal or a debugger, and is a Docent daemon at all: process numbers are
    /// reused.
    static func isSuspended(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return false }
        let state = text[text.index(after: end)...].split(separator: " ").first
        return text.contains("(docentd)") && (state == "T" || state == "t")
    }
}
