import Glibc

/// The control group of one extension's processes.
package struct ControlGroup: Sendable {
    /// Its directory.
    package let path: String

    /// Whether the kernel ended a process in it for its memory.
    package var wasOutOfMemory: Bool {
        ControlGroupPlace.memoryKills(ControlGroups.read(path + "/memory.events") ?? "") > 0
    }

    /// Ends whatever is left in it and removes it. Blocks until that is gone, at most a second.
    package func remove() {
        _ = ControlGroups.write("1", to: path + "/cgroup.kill")
        for _ in 0..<200 {
            if rmdir(path) == 0 || errno != EBUSY { return }
            usleep(5_000)
        }
    }
}
