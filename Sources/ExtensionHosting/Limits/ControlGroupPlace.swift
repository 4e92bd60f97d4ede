package import ExtensionManifest

/// Where the kernel's control groups of version 2 are, and what is written into them. Pure.
package enum ControlGroupPlace {
    /// The controllers without which a group limits nothing, and those that help where they are there.
    package static let needed = ["memory", "pids"]
    package static let welcome = ["cpu"]

    /// The directory of this process's own group.
    ///
    /// - Parameters:
    ///   - membership: the text of `/proc/self/cgroup`.
    ///   - mounts: the text of `/proc/self/mountinfo`.
    /// - Returns: nil where version 2 is not mounted, or this process's group lies outside of what is mounted.
    package static func directory(membership: String, mounts: String) -> String? {
        guard let own = membership.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let group = String(own.dropFirst(3))
        for line in mounts.split(separator: "\n") {
            // 36 35 98:0 ROOT POINT OPTIONS… - TYPE SOURCE OPTIONS
            let parts = line.split(separator: " ")
            guard let dash = parts.firstIndex(of: "-"), parts.count > dash + 1, parts[dash + 1] == "cgroup2", dash >= 5
            else { continue }
            let root = parts[3] == "/" ? "" : String(parts[3])
            guard group.hasPrefix(root) else { continue }
            let below = String(group.dropFirst(root.count))
            guard below.isEmpty || below.hasPrefix("/") else { continue }
            return String(parts[4]) + (below == "/" ? "" : below)
        }
        return nil
    }

    /// What is missing of what a group needs, in words; nil where nothing is.
    ///
    /// - Parameters:
    ///   - controllers: the text of `cgroup.controllers` of this process's group.
    ///   - members: the text of its `cgroup.procs`.
    ///   - process: this process.
    package static func obstacle(
        controllers: String, members: String, process: Int32, needed: [String] = needed
    ) -> String? {
        let available = Set(controllers.split(whereSeparator: \.isWhitespace).map(String.init))
        let missing = needed.filter { !available.contains($0) }
        guard missing.isEmpty else { return "it has no controller for \(missing.joined(separator: " and "))" }
        // A group with controllers for others may have no process of its own, and nobody else's is ours to move.
        let others = members.split(whereSeparator: \.isWhitespace).contains { $0 != "\(process)" }
        return others ? "other programs are in it" : nil
    }

    /// The files of one extension's group and their content, in the order in which they are written.
    package static func settings(_ limits: ProviderLimits) -> [(file: String, value: String, isNeeded: Bool)] {
        [
            ("memory.max", String(limits.memory), true),
            // Absent where the kernel has no swap accounting: then there is nothing to limit.
            ("memory.swap.max", "0", false),
            ("memory.oom.group", "1", false),
            // bubblewrap, its child, and the supervisor.
            ("pids.max", String(limits.processes + 3), true),
            ("cpu.weight", String(limits.processorWeight), false),
        ]
    }

    /// How often the kernel ended something in a group for its memory, by the text of `memory.events`.
    package static func memoryKills(_ events: String) -> Int {
        for line in events.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, words[0] == "oom_kill" { return Int(words[1]) ?? 0 }
        }
        return 0
    }
}
