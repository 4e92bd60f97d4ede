import DocentTestSupport
import Foundation
import Glibc

/// The descendants of a process.
enum ProcessTree {
    /// Every process below one: for a daemon bubblewrap, the supervisor inside, and the plugin.
    static func descendants(of process: pid_t?) -> [pid_t] {
        guard let process else { return [] }
        // A child is listed with the thread that started it.
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let children = tasks.flatMap { task in
            let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { pid_t($0) }
        }
        return children + children.flatMap { descendants(of: $0) }
    }
}
