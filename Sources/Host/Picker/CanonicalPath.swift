import Isolation

/// Resolves links of a path whose last names need not exist (X3).
enum CanonicalPath {
    /// The canonical form of a path whose text lies below a folder; nil for any other path, which is not looked at.
    ///
    /// The file at the path, and folders before it, may be missing: the deepest part that exists is resolved.
    static func resolve(_ path: String, below folder: String?) -> String? {
        guard let folder, let normal = URLRule.normalised(path), let root = URLRule.normalised(folder),
            normal.isSame(as: root) || normal.begins(with: root + "/")
        else { return nil }
        var existing = normal
        var missing: [Substring] = []
        while true {
            if let resolved = FileFacts.canonical(existing) {
                return missing.isEmpty ? resolved : resolved + "/" + missing.reversed().joined(separator: "/")
            }
            let parts = existing.split(separator: "/")
            guard let last = parts.last else { return nil }
            missing.append(last)
            existing = "/" + parts.dropLast().joined(separator: "/")
        }
    }
}
