import Glibc

/// Operations on path strings, and the one call to the file system that they need.
enum Paths {
    /// Whether a path begins at the root. Compares bytes: otherwise a combining mark after the slash would hide it.
    static func isAbsolute(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/")
    }

    /// The path without its last component; `/` for `/`.
    static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The last component.
    static func lastComponent(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// The path without empty and `.` components; nil when it has a NUL or a `..`, which only the file system could
    /// resolve.
    static func normalized(_ path: String) -> String? {
        guard !path.utf8.contains(0) else { return nil }
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
        guard !parts.contains("..") else { return nil }
        return (isAbsolute(path) ? "/" : "") + parts.joined(separator: "/")
    }

    /// Whether one absolute normalised path equals another or is below it.
    static func contains(_ directory: String, _ path: String) -> Bool {
        directory == "/" || path == directory || path.utf8.starts(with: (directory + "/").utf8)
    }

    /// A directory and a component, joined.
    static func join(_ directory: String, _ name: String) -> String {
        directory.utf8.last == UInt8(ascii: "/") ? directory + name : directory + "/" + name
    }

    /// The absolute path without links, or nil when it does not exist or is not UTF-8.
    static func canonical(_ path: String) -> String? {
        guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// The path with the links of all existing parts resolved; the rest is unchanged.
    static func canonicalAsFarAsItExists(_ path: String) -> String {
        var existing = path
        var missing: [String] = []
        while existing != "/" {
            if let resolved = canonical(existing) { return missing.reduce(resolved) { join($0, $1) } }
            missing.insert(lastComponent(of: existing), at: 0)
            existing = parent(of: existing)
        }
        return path
    }
}
