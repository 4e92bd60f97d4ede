/// The mounts that a process sees, from its `mountinfo`. Pure: tells what can be read without waiting for a program that serves it.
package struct MountTable: Sendable {
    /// One mount.
    package struct Mount: Sendable, Hashable {
        /// Where it is.
        package var place: String
        /// Its file system.
        package var type: String
        /// Whether nothing can be changed through it.
        package var isReadOnly: Bool
        /// Whether it is of the kernel's memory only. Any other may wait: for a program that serves it (FUSE), for a network, or for such
        /// a one below it (overlay).
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

    /// The mount of that identifier.
    package func mount(_ identifier: Int) -> Mount? { mounts[identifier] }
}
