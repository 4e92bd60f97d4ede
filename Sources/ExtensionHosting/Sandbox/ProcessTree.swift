import FoundationEssentials

/// A process and its descendants, according to `/proc`.
package enum ProcessTree {
    /// Bytes resident in the largest process of the tree: the wrappers around it use hardly any memory.
    static func residentBytes(of process: Int32) -> Int? {
        ([process] + descendants(of: process)).compactMap(resident).max()
    }

    /// Children, their children and so on.
    static func descendants(of process: Int32, depth: Int = 0) -> [Int32] {
        guard depth < 8, let text = text("/proc/\(process)/task/\(process)/children") else { return [] }
        let children = text.split(separator: " ").compactMap { Int32($0) }
        return children + children.flatMap { descendants(of: $0, depth: depth + 1) }
    }

    /// Bytes resident in one process.
    package static func resident(_ process: Int32) -> Int? {
        guard let status = text("/proc/\(process)/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return nil }
        return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map {
            $0 * 1024
        }
    }

    private static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
