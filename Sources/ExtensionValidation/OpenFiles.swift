import FoundationEssentials
import Glibc

/// What a process has open, as `/proc` shows it.
enum OpenFiles {
    // What every program reads and no user owns.
    private static let common = [
        "/dev/", "/proc/", "/sys/", "/usr/", "/lib", "/etc/", "/opt/", "/run/", "/memfd:", "/tmp/",
    ]

    /// Paths of open files that are neither below some directories nor of the system. Sockets, pipes and the like have
    /// none.
    ///
    /// - Parameter watched: a directory that does not count as the system's, wherever it lies.
    static func paths(of process: Int32?, outside allowed: [String], watched: String) -> [String] {
        links(of: process).filter { path in
            path.hasPrefix("/") && (path.hasPrefix(watched + "/") || !common.contains(where: path.hasPrefix))
                && !allowed.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
    }

    /// The kinds of the sockets that are of the network and open: tcp, udp, raw.
    static func networkSockets(of process: Int32?) -> [String] {
        guard let process else { return [] }
        let own = Set(
            links(of: process).compactMap { link in
                link.hasPrefix("socket:[") && link.hasSuffix("]") ? String(link.dropFirst(8).dropLast()) : nil
            })
        guard !own.isEmpty else { return [] }
        return ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"].filter { kind in
            guard let table = try? Data(contentsOf: URL(filePath: "/proc/\(process)/net/\(kind)")) else { return false }
            return String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().contains { line in
                let fields = line.split(separator: " ")
                return fields.count > 9 && own.contains(String(fields[9]))
            }
        }
    }

    private static func links(of process: Int32?) -> [String] {
        guard let process,
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
        else { return [] }
        return names.compactMap { Symlink.target("/proc/\(process)/fd/\($0)") }
    }
}

/// Where symbolic links lead.
enum Symlink {
    /// The text of a link; nil where there is none.
    static func target(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
