import Glibc
import Storage

/// Files that processes hold open but that have no name any more: they take up space until they are closed, and a walk
/// does not find them.
enum UnlinkedFiles {
    /// Their bytes on the file system of a folder. A process that cannot be inspected counts as zero; seccomp prevents
    /// a plugin from making itself uninspectable.
    static func bytes(of processes: [Int32], besides folder: Directory) -> Int {
        var place = stat()
        guard fstat(folder.descriptor, &place) == 0 else { return 0 }
        var counted: Set<UInt64> = []
        var sum = 0
        for process in processes {
            let directory = "/proc/\(process)/fd"
            guard let listing = opendir(directory) else { continue }
            defer { closedir(listing) }
            while let entry = readdir(listing) {
                var facts = stat()
                // This link is the kernel's own: it leads to the open file itself, whatever its name was.
                guard fstatat(dirfd(listing), name(of: entry), &facts, 0) == 0, facts.st_mode & S_IFMT == S_IFREG,
                    facts.st_nlink == 0, facts.st_dev == place.st_dev, counted.insert(UInt64(facts.st_ino)).inserted
                else { continue }
                sum += Int(facts.st_blocks) * 512
            }
        }
        return sum
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }
}
