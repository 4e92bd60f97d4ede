import Glibc

/// The control group of one extension's processes.
package struct ControlGroup: Sendable {
    /// Its directory.
    package let path: String

    /// Whether the kernel killed a process in it for lack of memory.
    package var wasOutOfMemory: Bool {
        ControlGroupPlace.memoryKills(ControlGroups.read(path + "/memory.events") ?? "") > 0
    }

    /// Ends all remaining processes in it and removes it. Blocks until it is gone, at most a second.
    package func remove() {
        _ = ControlGroups.write("1", to: path + "/cgroup.kill")
        for _ in 0..<200 {
            if rmdir(path) == 0 || errno != EBUSY { return }
            usleep(5_000)
        }
    }
}
