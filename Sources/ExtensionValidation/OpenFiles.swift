import FoundationEssentials
import Glibc

/// The open files of a process, from `/proc`.
enum OpenFiles {
    // Read by every program, and not the user's.
    private static let common = [
        "/dev/", "/proc/", "/sys/", "/usr/", "/lib", "/etc/", "/opt/", "/run/", "/memfd:", "/tmp/",
    ]

    /// The paths of open files that neither are below some directories nor belong to the system. Sockets, pipes and the
    /// like have none.
    ///
    /// - Parameter watched: a directory that never counts as the system's, whatever its path.
    static func paths(of process: Int32?, outside allowed: [String], watched: String) -> [String] {
        links(of: process).filter { path in
            path.hasPrefix("/") && (path.hasPrefix(watched + "/") || !common.contains(where: path.hasPrefix))
                && !allowed.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
    }

    /// The kinds of the open network sockets: tcp, udp, raw.
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

/// The targets of symbolic links.
enum Symlink {
    /// The text of a link; nil where there is none.
    static func target(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
