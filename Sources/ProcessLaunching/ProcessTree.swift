import FoundationEssentials

/// Processes and their descendants, according to `/proc`.
package enum ProcessTree {
    /// One process. Its start time distinguishes it from a later one with the same number.
    package struct Member: Sendable, Hashable {
        /// Its number.
        package let process: Int32
        private let started: Substring

        /// nil when there is no such process.
        package init?(_ process: Int32) {
            guard let started = ProcessTree.started(process) else { return nil }
            self.process = process
            self.started = started
        }

        /// Whether it is still running; a zombie is not.
        package var isAlive: Bool { ProcessTree.started(process) == started }
    }

    /// Children, their children and so on.
    package static func descendants(of process: Int32) -> [Int32] {
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

    /// Bytes resident in the largest process of the tree: the wrappers around it use hardly any memory.
    package static func residentBytes(of process: Int32) -> Int? {
        ([process] + descendants(of: process)).compactMap(resident).max()
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

    /// Its program and arguments, for people.
    package static func command(of process: Int32) -> String {
        (text("/proc/\(process)/cmdline") ?? "").split(separator: "\0").prefix(4).joined(separator: " ")
    }

    // The 22nd field of stat. The name in the second field may contain anything, but ends at the last parenthesis.
    private static func started(_ process: Int32) -> Substring? {
        guard let text = text("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return fields[19]
    }

    private static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
