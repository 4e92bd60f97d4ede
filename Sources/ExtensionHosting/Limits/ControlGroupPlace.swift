package import ExtensionManifest

/// The location of the kernel's control groups (version 2), and what is written into them. Pure.
package enum ControlGroupPlace {
    /// The controllers without which a group limits nothing, and those that are used if available.
    package static let needed = ["memory", "pids"]
    package static let welcome = ["cpu"]

    /// The directory of this process's own group.
    ///
    /// - Parameters:
    ///   - membership: the text of `/proc/self/cgroup`.
    ///   - mounts: the text of `/proc/self/mountinfo`.
    /// - Returns: nil if version 2 is not mounted, or this process's group is outside the mount.
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

    /// What a group needs but lacks, for people; nil if it lacks nothing.
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
        // A group that gives controllers to others must not have processes itself, and we may not move those of other
        // programs.
        let others = members.split(whereSeparator: \.isWhitespace).contains { $0 != "\(process)" }
        return others ? "other programs are in it" : nil
    }

    /// The files of one extension's group and their contents, in the order in which they are written.
    package static func settings(_ limits: ProviderLimits) -> [(file: String, value: String, isNeeded: Bool)] {
        [
            ("memory.max", String(limits.memory), true),
            // Absent if the kernel has no swap accounting; then there is nothing to limit.
            ("memory.swap.max", "0", false),
            ("memory.oom.group", "1", false),
            // Three more: bubblewrap, its child, and the supervisor.
            ("pids.max", String(limits.processes + 3), true),
            ("cpu.weight", String(limits.processorWeight), false),
        ]
    }

    /// How often the kernel killed a process in a group for lack of memory, from the text of `memory.events`.
    package static func memoryKills(_ events: String) -> Int {
        for line in events.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, words[0] == "oom_kill" { return Int(words[1]) ?? 0 }
        }
        return 0
    }
}
