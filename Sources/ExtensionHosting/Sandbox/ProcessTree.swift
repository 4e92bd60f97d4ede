import FoundationEssentials

/// A process and its descendants, according to `/proc`.
package enum ProcessTree {
    /// Bytes resident in the largest process of the tree: the wrappers around it use hardly any memory.
    static func residentBytes(of process: Int32) -> Int? {
        ([process] + descendants(of: process)).compactMap(resident).max()
    }

    /// Children, their children and so on.
    static func descendants(of process: Int32) -> [Int32] {
        var family = [process]
        // A number may be given again to a new process meanwhile.
        var known: Set = [process]
        var next = 0
        while next < family.count {
            family += children(of: family[next]).filter { known.insert($0).inserted }
            next += 1
        }
        return Array(family.dropFirst())
    }

    // A child is listed with the thread that started it.
    private static func children(of process: Int32) -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.flatMap { thread in
            (text("/proc/\(process)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { Int32($0) }
        }
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
