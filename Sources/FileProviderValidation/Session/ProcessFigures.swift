import FoundationEssentials

/// The resources of a process at one moment.
package struct ProcessFigures: Sendable, Hashable {
    /// Bytes of private memory, resident or swapped out.
    package var privateBytes: Int
    /// Open descriptors.
    package var descriptors: Int
    /// Running threads.
    package var threads: Int

    /// Reads `/proc`; nil when the process is gone or may not be inspected.
    package init?(process: Int32) {
        guard let status = Self.text("/proc/\(process)/status"),
            let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
        else { return nil }
        func kilobytes(_ key: String) -> Int? {
            guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key + ":") }) else { return nil }
            return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
        }
        guard let anonymous = kilobytes("RssAnon"), let threads = kilobytes("Threads") else { return nil }
        privateBytes = (anonymous + (kilobytes("VmSwap") ?? 0)) * 1024
        descriptors = open.count
        self.threads = threads
    }

    private static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
