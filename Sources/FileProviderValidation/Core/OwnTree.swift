import CLinux
import FoundationEssentials
import Glibc

/// A directory that a run of the validator created, identified by its descriptor: exactly that directory is removed,
/// whatever its path leads to by now. Links are not followed. Thread-safe.
package final class OwnTree: Sendable {
    private let descriptor: CInt

    /// Opens the directory at a path; nil if there is none that belongs to this user, or if the path is a link.
    package convenience init?(path: String) {
        let opened = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        self.init(adopting: opened)
    }

    /// Takes over a descriptor of a directory and closes it with this object; nil if the directory does not belong to
    /// this user.
    package init?(adopting descriptor: CInt) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var facts = clinux_stat()
        guard clinux_stat_fd(descriptor, &facts) == 0, clinux_is_directory(facts.mode) != 0, facts.owner == getuid()
        else { return nil }
    }

    deinit { close(descriptor) }

    /// The descriptor, to be passed to another process.
    package var raw: CInt { descriptor }

    /// Its current path; nil when it was removed.
    package var path: String? {
        var facts = clinux_stat()
        guard clinux_stat_fd(descriptor, &facts) == 0, facts.links > 0 else { return nil }
        return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }

    /// Removes its contents at any depth, including those of folders that were made read-only.
    ///
    /// - Returns: whether it is empty.
    @discardableResult
    package func empty() -> Bool {
        // Names as bytes: a provider may create some that are not text.
        var last: [[CChar]] = []
        fchmod(descriptor, 0o700)
        // More may be created meanwhile; what can be removed is never listed twice.
        for _ in 0..<10_000 {
            guard let names = Self.names(descriptor) else { return false }
            if names.isEmpty { return true }
            if names == last { return false }
            last = names
            for name in names { remove(name) }
        }
        return false
    }

    /// Removes it with all its contents, unless it is at its path no longer.
    ///
    /// - Returns: whether it is gone.
    @discardableResult
    package func remove() -> Bool {
        guard let path else { return true }
        guard empty(), let slash = path.lastIndex(of: "/") else { return false }
        let name = String(path[path.index(after: slash)...])
        let parent = open(String(path[...slash]), CLINUX_O_PATH | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return false }
        defer { close(parent) }
        var own = clinux_stat()
        var found = clinux_stat()
        guard clinux_stat_fd(descriptor, &own) == 0, clinux_stat_at(parent, name, &found) == 0,
            own.inode == found.inode, own.device == found.device
        else { return false }
        return clinux_unlinkat(parent, name, CLINUX_AT_REMOVEDIR) == 0
    }

    private func remove(_ name: [CChar]) {
        if clinux_unlinkat(descriptor, name, 0) == 0 { return }
        let folder = clinux_openat(descriptor, name, CLINUX_O_PATH | CLINUX_O_DIRECTORY | CLINUX_O_NOFOLLOW, 0)
        guard folder >= 0 else { return }
        defer { close(folder) }
        // A provider may have made its own folders read-only. By the descriptor: the name may belong to another file by
        // now.
        chmod("/proc/self/fd/\(folder)", 0o700)
        for inner in Self.names(folder) ?? [] where clinux_unlinkat(folder, inner, 0) != 0 {
            // Inner folders are moved up, so that any depth takes two descriptors. Moving a folder also needs write
            // permission in it.
            let own = clinux_openat(folder, inner, CLINUX_O_PATH | CLINUX_O_DIRECTORY | CLINUX_O_NOFOLLOW, 0)
            guard own >= 0 else { continue }
            chmod("/proc/self/fd/\(own)", 0o700)
            close(own)
            _ = clinux_renameat2(
                folder, inner, descriptor, ".removed-\(UInt64.random(in: 0...UInt64.max))", CLINUX_RENAME_NOREPLACE)
        }
        _ = clinux_unlinkat(descriptor, name, CLINUX_AT_REMOVEDIR)
    }

    /// The sorted names in a directory; nil if they cannot be read.
    ///
    /// - Parameter most: reading stops when there are this many.
    static func names(_ directory: CInt, most: Int = .max) -> [[CChar]]? {
        let listing = clinux_openat(directory, ".", CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0)
        guard listing >= 0 else { return nil }
        defer { close(listing) }
        var found: [[CChar]] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
        defer { buffer.deallocate() }
        guard let start = buffer.baseAddress else { return nil }
        while true {
            let filled = found.count < most ? clinux_getdents(listing, start, buffer.count) : 0
            guard filled > 0 else { return filled == 0 ? found.sorted { $0.lexicographicallyPrecedes($1) } : nil }
            var offset = 0
            while offset < filled {
                var name: UnsafePointer<CChar>?
                var type: UInt8 = 0
                offset = clinux_directory_record(start, offset, &name, &type)
                guard let name else { continue }
                let bytes = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
                if bytes != [46, 0], bytes != [46, 46, 0] { found.append(bytes) }
            }
        }
    }
}
