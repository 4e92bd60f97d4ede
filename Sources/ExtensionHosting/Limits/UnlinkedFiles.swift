import Glibc

/// Files that processes hold open and that have no name any more: they take room until they are closed, and no walk
/// finds them.
enum UnlinkedFiles {
    /// Bytes on the file system of a folder. A process that cannot be looked at counts as nothing; seccomp keeps a
    /// plugin from closing itself to such looks.
    static func bytes(of processes: [Int32], besides folder: String) -> Int {
        var place = stat()
        guard stat(folder, &place) == 0 else { return 0 }
        var counted: Set<UInt64> = []
        var sum = 0
        for process in processes {
            let directory = "/proc/\(process)/fd"
            guard let listing = opendir(directory) else { continue }
            defer { closedir(listing) }
            while let entry = readdir(listing) {
                var facts = stat()
                // The link is the kernel's own: it leads to the open file itself, wherever its name was.
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
