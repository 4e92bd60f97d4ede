import CommandConsole
import Dispatch
import FoundationEssentials
import Glibc

/// A daemon that was stopped by a signal, as by ^Z or a debugger: whoever asks it waits for ever, and is told why.
enum SuspendedDaemon {
    /// Looks now and then while a verb waits, and tells a person once.
    static func watch(_ environment: [String: String]) {
        // A socket that was given may be any daemon's.
        guard environment["DOCENT_SOCKET"] ?? "" == "", let data = dataDirectory(environment) else { return }
        // Lives as long as the process.
        look(data, after: 3)
    }

    private static func look(_ data: String, after seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            guard let process = holder(of: data + "/docent.lock"), isSuspended(process) else {
                return look(data, after: 3)
            }
            StandardError.write(
                "docent: The Docent daemon (process \(process)) is suspended and answers nobody; "
                    + "`kill -CONT \(process)` lets it go on.\n")
        }
    }

    /// Where the daemon of this environment keeps its data.
    static func dataDirectory(_ environment: [String: String]) -> String? {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/docent" }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/share/docent" : nil }
    }

    /// The process that holds the lock of a daemon, as it wrote itself there.
    static func holder(of lock: String) -> pid_t? {
        guard let text = try? String(contentsOfFile: lock, encoding: .utf8) else { return nil }
        return text.split { !$0.isNumber }.first.flatMap { pid_t($0) }
    }

    /// Whether a process was stopped by a signal or a debugger, and is a daemon of Docent at all: numbers are used again.
    static func isSuspended(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return false }
        let state = text[text.index(after: end)...].split(separator: " ").first
        return text.contains("(docentd)") && (state == "T" || state == "t")
    }
}
