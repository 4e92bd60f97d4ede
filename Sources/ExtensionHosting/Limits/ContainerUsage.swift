import CLinux
import Glibc
package import Storage

/// The contents of a container, counted beneath its descriptor. A provider can plant anything in there, so links are
/// neither followed nor read. What others have mounted in there is not the provider's and does not count. A provider
/// cannot mount anything, but it can make subvolumes, which have a device number of their own: they count.
package struct ContainerUsage: Sendable, Hashable {
    /// Bytes that the files occupy on disk; a file with several names counts once.
    package var bytes = 0
    /// Files, folders, links and everything else that has a name.
    package var files = 0
    /// Whether something could not be counted: folders nested deeper than the longest path.
    package var isIncomplete = false

    package init(bytes: Int = 0, files: Int = 0, isIncomplete: Bool = false) {
        self.bytes = bytes
        self.files = files
        self.isIncomplete = isIncomplete
    }

    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// Measures a container. Costs one system call for each name; uses at most one descriptor for the container and one
    /// for a folder.
    ///
    /// - Parameters:
    ///   - groups: the folder of all containers, which no provider can write.
    ///   - name: the container's name in it.
    ///   - mostFiles: counting stops beyond this number.
    /// - Returns: nil when there is no container.
    package static func measure(
        _ groups: Directory, _ name: FileName, mostFiles: Int, _ cancellation: Cancellation
    ) -> ContainerUsage? {
        guard let container = try? groups.directory(name) else { return nil }
        return measure(container, mostFiles: mostFiles, cancellation)
    }

    /// Measures an open container.
    static func measure(_ container: Directory, mostFiles: Int, _ cancellation: Cancellation) -> ContainerUsage {
        withExtendedLifetime(container) { count(beneath: container.descriptor, mostFiles, cancellation) }
    }

    private static func count(beneath root: Int32, _ mostFiles: Int, _ cancellation: Cancellation) -> ContainerUsage {
        var usage = ContainerUsage()
        var counted: Set<Identity> = []
        // Paths relative to the container instead of open folders: a chain of folders must not use up descriptors.
        var waiting: [[UInt8]] = [Array(".".utf8)]
        while let path = waiting.popLast(), usage.files <= mostFiles, (try? cancellation.check()) != nil {
            let folder = open(path, beneath: root)
            guard folder >= 0 else {
                if folder == -ENAMETOOLONG { usage.isIncomplete = true }
                continue
            }
            list(folder) { name in
                var found = clinux_stat()
                guard clinux_stat_at(folder, name, &found) == 0 else { return }
                usage.files += 1
                let isFolder = clinux_is_directory(found.mode) != 0
                guard
                    isFolder || found.links < 2
                        || counted.insert(Identity(device: found.device, inode: found.inode)).inserted
                else { return }
                usage.bytes += Int(found.blocks) * 512
                if isFolder {
                    waiting.append(
                        path + [UInt8(ascii: "/")] + UnsafeRawBufferPointer(start: name, count: strlen(name)))
                }
            }
            clinux_close(folder)
        }
        return usage
    }

    /// A folder opened for listing, or a negative errno. If its maker removed its own access, the access is restored:
    /// the folder belongs to the same user.
    private static func open(_ path: [UInt8], beneath root: Int32) -> Int32 {
        (path + [0]).withUnsafeBytes { bytes in
            guard let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -EINVAL }
            let flags = CLINUX_O_RDONLY | CLINUX_O_DIRECTORY
            let folder = clinux_openat_inside(root, text, flags, 0)
            guard folder == -EACCES else { return folder }
            let place = clinux_openat_inside(root, text, CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0)
            guard place >= 0 else { return place }
            defer { clinux_close(place) }
            chmod("/proc/self/fd/\(place)", 0o700)
            return clinux_openat_inside(root, text, flags, 0)
        }
    }

    private static func list(_ folder: Int32, _ body: (UnsafePointer<CChar>) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 32 * 1024, alignment: 16) { buffer in
            guard let start = buffer.baseAddress else { return }
            while true {
                let filled = clinux_getdents(folder, start, buffer.count)
                guard filled > 0 else { return }
                var offset = 0
                while offset < filled {
                    var name: UnsafePointer<CChar>? = nil
                    var type: UInt8 = 0
                    offset = clinux_directory_record(start, offset, &name, &type)
                    if let name, strcmp(name, ".") != 0, strcmp(name, "..") != 0 { body(name) }
                }
            }
        }
    }
}
