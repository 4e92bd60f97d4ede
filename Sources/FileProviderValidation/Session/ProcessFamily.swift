import FoundationEssentials

/// Processes and their descendants, from `/proc`.
package enum ProcessFamily {
    /// One process. Its start time distinguishes it from a later one with the same number.
    package struct Member: Sendable, Hashable {
        /// Its number.
        package let process: Int32
        private let started: Substring

        /// nil when there is no such process.
        package init?(_ process: Int32) {
            guard let started = ProcessFamily.started(process) else { return nil }
            self.process = process
            self.started = started
        }

        /// Whether it is still running; a zombie is not.
        package var isAlive: Bool { ProcessFamily.started(process) == started }
    }

    /// Children, their children and so on.
    package static func descendants(of process: Int32, depth: Int = 0) -> [Int32] {
        guard depth < 8, let text = text("/proc/\(process)/task/\(process)/children") else { return [] }
        let children = text.split(separator: " ").compactMap { Int32($0) }
        return children + children.flatMap { descendants(of: $0, depth: depth + 1) }
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
