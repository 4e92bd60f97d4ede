package import Foundation
import Glibc

/// The memory of an installation's processes, as counted by the kernel.
package enum ProcessMemory {
    /// The peak resident memory of the daemon and of every process below it, in bytes, by name and number.
    package static func peaks(of installation: Installation) -> [(process: String, bytes: Int)] {
        guard let daemon = installation.daemonProcess else { return [] }
        return ([daemon] + descendants(of: daemon)).compactMap { process in
            let status = installation.read("/proc/\(process)/status") ?? ""
            guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
                let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
            else { return nil }
            return ("\(status.prefix(while: { $0 != "\n" })) \(process)", kibibytes << 10)
        }
    }

    /// All descendants of a process: for a daemon bubblewrap, the supervisor inside, the plugin, and what that started.
    package static func descendants(of process: pid_t?) -> [pid_t] {
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
