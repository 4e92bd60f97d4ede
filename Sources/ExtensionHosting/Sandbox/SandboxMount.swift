/// A path of the machine that a sandbox shows under the same path inside.
package struct SandboxMount: Sendable, Hashable {
    /// Absolute path, the same outside and inside.
    package var path: String
    /// Whether it is writable inside.
    package var isWritable = false
    /// Whether the extension cannot start without it.
    package var isRequired = false
    /// Whether an empty folder is shown there, instead of what an outer mount shows.
    var isEmpty = false

    /// Options of bubblewrap.
    ///
    /// - Parameter descriptor: the number, in bubblewrap, of what to mount; nil for what lies at the path.
    func arguments(descriptor: Int32? = nil) -> [String] {
        if isEmpty { return ["--perms", "0755", "--tmpfs", path] }
        let option = "--" + (isWritable ? "bind" : "ro-bind")
        if let descriptor { return [option + "-fd", String(descriptor), path] }
        return [option + (isRequired ? "" : "-try"), path, path]
    }

    /// The mounts in a possible order: outer folders before the paths in them, which they would hide otherwise. If two
    /// have the same path, the writable one stays.
    static func ordered(_ mounts: [SandboxMount]) -> [SandboxMount] {
        var byPath: [String: SandboxMount] = [:]
        for mount in mounts {
            var merged = mount
            if let other = byPath[mount.path] {
                merged.isWritable = mount.isWritable || other.isWritable
                merged.isRequired = mount.isRequired || other.isRequired
            }
            byPath[mount.path] = merged
        }
        return byPath.values.sorted { one, other in
            let depths = (depth(one.path), depth(other.path))
            return depths.0 == depths.1 ? one.path < other.path : depths.0 < depths.1
        }
    }

    private static func depth(_ path: String) -> Int { path.split(separator: "/").count }
}
