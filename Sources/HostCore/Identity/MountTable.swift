/// The mounts that a process sees, from its `mountinfo`. Pure: it shows what can be read without waiting for a program
/// that serves a file system.
package struct MountTable: Sendable {
    /// One mount.
    package struct Mount: Sendable, Hashable {
        /// Its mount point.
        package var place: String
        /// Its file system type.
        package var type: String
        /// Whether it is mounted read-only.
        package var isReadOnly: Bool
        /// Whether it lies only in the kernel's memory. Any other mount may block: on a program that serves it (FUSE),
        /// on a network, or on such a mount below it (overlay).
        package var isMemory: Bool { type == "tmpfs" }
    }

    private var mounts: [Int: Mount] = [:]

    /// Reads the table.
    package init(_ text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 6, let identifier = Int(fields[0]),
                let dash = fields.dropFirst(6).firstIndex(of: "-"), fields.indices.contains(dash + 1)
            else { continue }
            mounts[identifier] = Mount(
                place: String(fields[4]), type: String(fields[dash + 1]),
                isReadOnly: fields[5].split(separator: ",").contains("ro"))
        }
    }

    /// The mount with that identifier.
    package func mount(_ identifier: Int) -> Mount? { mounts[identifier] }
}
