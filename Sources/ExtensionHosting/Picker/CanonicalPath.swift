import CLinux
import Glibc
import Rights
import Storage

/// Resolves links in a path whose last names need not exist (X3).
enum CanonicalPath {
    /// A document storage, opened beneath the daemon's own folders.
    struct Storage: Sendable {
        /// Its path as the extension knows it.
        let path: String
        /// The folder itself; nil when it does not exist.
        let directory: Directory?

        // The path without links above the container, as an extension without a sandbox may see it.
        var realPath: String? { directory.flatMap { PathLookup.linkTarget("/proc/self/fd/\($0.descriptor)") } }
    }

    /// The path with all links in the storage resolved. Any other path is returned unchanged and not accessed.
    ///
    /// The file at the path, and folders before it, may be missing: the deepest existing part is resolved, beneath the
    /// storage's descriptor.
    /// - Returns: nil when links lead out of the storage.
    static func resolve(_ path: String, in storage: Storage) -> String? {
        guard let normal = URLRule.normalised(path) else { return path }
        let roots = [URLRule.normalised(storage.path), storage.realPath].compactMap(\.self)
        guard let root = roots.first(where: { normal.isSame(as: $0) || normal.begins(with: $0 + "/") }) else {
            return path
        }
        var existing = normal.utf8.dropFirst(root.utf8.count).split(separator: UInt8(ascii: "/")).map(Substring.init)
        guard let directory = storage.directory, let real = storage.realPath else { return nil }
        var missing: [Substring] = []
        while true {
            let relative = existing.isEmpty ? "." : existing.joined(separator: "/")
            let number = clinux_openat_following(directory.descriptor, relative, CLINUX_O_PATH)
            if number >= 0 {
                let opened = OpenDescriptor(owning: number)
                let place = withExtendedLifetime(opened) { PathLookup.linkTarget("/proc/self/fd/\(number)") }
                guard let place, place.isSame(as: real) || place.begins(with: real + "/") else { return nil }
                let inside = String(decoding: place.utf8.dropFirst(real.utf8.count), as: UTF8.self)
                return ([storage.path + inside] + missing.reversed().map(String.init)).joined(separator: "/")
            }
            guard number == -ENOENT || number == -ENOTDIR, let last = existing.popLast() else { return nil }
            missing.append(last)
        }
    }
}
